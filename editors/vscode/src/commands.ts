/** The commands: the project's problems, the census, and recorded runs, as pages beside the text. */

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

import { settings } from "./client";
import { findServer } from "./interpreter";

const PAGE = "page.html";
const SHOW_REPORT = "Show the report";
const LARGEST_OUTPUT = 2 ** 26; // bytes

/** Shows the problems of all files of the project, open or not. */
export async function checkProject(client: LanguageClient | undefined): Promise<void> {
  await client?.sendNotification("workspace/didChangeConfiguration", {
    settings: settings({ workspaceDiagnostics: true }),
  });
  await vscode.commands.executeCommand("workbench.actions.view.problems");
}

export function showCensus(output: vscode.LogOutputChannel): Promise<void> {
  return showPage("Census", ["census", "--format", "html"], output);
}

export function showReport(output: vscode.LogOutputChannel, run?: string): Promise<void> {
  return showPage("Report", ["report", "--format", "html", ...(run ? [run] : [])], output);
}

/** Runs the file in the editor with the recorder, and shows the report when it has ended. */
export async function runRecorded(output: vscode.LogOutputChannel): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  const command = vscode.workspace.isTrusted ? await commandLine(["run"]) : undefined;
  if (document === undefined || command === undefined) {
    void vscode.window.showWarningMessage("jaxtyped-static: open a program, in a workspace that you trust.");
    return;
  }
  await document.save();
  const [program, ...args] = command as [string, ...string[]];
  const execution = new vscode.ProcessExecution(program, [...args, document.uri.fsPath], { cwd: folder() });
  const scope = vscode.workspace.getWorkspaceFolder(document.uri) ?? vscode.TaskScope.Workspace;
  const task = new vscode.Task({ type: "process" }, scope, "run with the recorder", "jaxtyped-static", execution);
  const started = await vscode.tasks.executeTask(task);
  const ended = vscode.tasks.onDidEndTaskProcess((event) => {
    if (event.execution === started) {
      ended.dispose();
      void showReport(output);
    }
  });
}

/** Says why a function was compiled again. */
export async function showReasons(
  [name, reasons, run]: [string, string[], string],
  output: vscode.LogOutputChannel,
): Promise<void> {
  const detail = reasons.join("\n") || "It was compiled once.";
  const chosen = await vscode.window.showInformationMessage(name, { modal: true, detail }, SHOW_REPORT);
  if (chosen === SHOW_REPORT) {
    await showReport(output, run);
  }
}

async function showPage(title: string, args: string[], output: vscode.LogOutputChannel): Promise<void> {
  const command = await commandLine(args);
  if (command === undefined) {
    void vscode.window.showWarningMessage("jaxtyped-static: there is no server to ask; its status says why.");
    return;
  }
  const target = await mkdtemp(path.join(tmpdir(), "jaxtyped-static-"));
  try {
    const [program, ...rest] = command as [string, ...string[]];
    const options = { cwd: folder(), maxBuffer: LARGEST_OUTPUT };
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: `jaxtyped-static: ${title}` }, () =>
      promisify(execFile)(program, [...rest, "-o", path.join(target, PAGE)], options),
    );
    const panel = vscode.window.createWebviewPanel("jaxtypedStatic", title, vscode.ViewColumn.Beside, {
      enableScripts: true,
      enableFindWidget: true,
      retainContextWhenHidden: true,
      localResourceRoots: [],
    });
    panel.webview.html = await readFile(path.join(target, PAGE), "utf8");
  } catch (error) {
    output.error(String(error));
    const said = (error as { stderr?: string }).stderr?.trim().split("\n").at(-1);
    void vscode.window.showErrorMessage(`jaxtyped-static: ${said || String(error)}`);
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}

/** The command with other arguments than `server`; undefined where nothing may be run. */
async function commandLine(args: string[]): Promise<string[] | undefined> {
  const { command } = await findServer();
  return command && [...command.slice(0, command.indexOf("server")), ...args];
}

function folder(): string | undefined {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
}
