/** Finds the command that starts the server. In Restricted Mode, nothing that lies in the workspace is one. */

import { existsSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";

const MODULE = ["-P", "-m", "jaxtyped_static_mypy"];

/** A command and where it comes from; or why there is none. */
export interface Server {
  command: string[] | undefined;
  why: string;
}

interface PythonExtension {
  environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(environment: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

export async function findServer(): Promise<Server> {
  const given = vscode.workspace.getConfiguration("jaxtypedStatic").get<string[]>("server", []);
  if (given.length > 0) {
    return { command: given, why: "the setting jaxtypedStatic.server" };
  }
  if (!vscode.workspace.isTrusted) {
    return { command: undefined, why: "Restricted Mode: nothing of the workspace is run" };
  }
  const python = await findPython();
  if (python === undefined) {
    return { command: undefined, why: "no interpreter: select one, or set jaxtypedStatic.server" };
  }
  return { command: [python, ...MODULE, "server"], why: python };
}

/** The interpreter that the Python extension has selected, or that of the workspace's environment. */
export async function findPython(): Promise<string | undefined> {
  return (await selectedPython()) ?? environmentOfWorkspace();
}

/** Tells when another interpreter is selected; undefined without the Python extension. */
export async function onDidChangeInterpreter(then: () => unknown): Promise<vscode.Disposable | undefined> {
  return (await pythonExtension())?.environments.onDidChangeActiveEnvironmentPath(then);
}

async function selectedPython(): Promise<string | undefined> {
  const environments = (await pythonExtension())?.environments;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const active = environments?.getActiveEnvironmentPath(folder);
  return active && (await environments?.resolveEnvironment(active))?.executable.uri?.fsPath;
}

async function pythonExtension(): Promise<PythonExtension | undefined> {
  return vscode.extensions.getExtension<PythonExtension>("ms-python.python")?.activate();
}

function environmentOfWorkspace(): string | undefined {
  const inside = process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];
  return (vscode.workspace.workspaceFolders ?? [])
    .flatMap((folder) => [".venv", "venv"].map((name) => path.join(folder.uri.fsPath, name, ...inside)))
    .find(existsSync);
}
