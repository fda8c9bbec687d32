/** Starts the language server of jaxtyped-static, and shows what it says beside the text. */

import * as vscode from "vscode";
import { LanguageClient, State } from "vscode-languageclient/node";

import { newClient, settings } from "./client";
import { checkProject, runRecorded, showCensus, showReport } from "./commands";
import { findServer, onDidChangeInterpreter } from "./interpreter";
import { Status } from "./status";

const SECTION = "jaxtypedStatic";

class Extension {
  private client: LanguageClient | undefined;
  private readonly output = vscode.window.createOutputChannel("jaxtyped-static", { log: true });
  private readonly status = new Status();
  private latest: Promise<void> = Promise.resolve();

  constructor(context: vscode.ExtensionContext) {
    const commands: Record<string, () => unknown> = {
      checkProject: () => this.checkProject(),
      showCensus: () => showCensus(this.output),
      run: () => runRecorded(this.output),
      showReport: () => showReport(this.output),
      restart: () => this.restart(),
      showLog: () => this.output.show(),
    };
    context.subscriptions.push(
      this.output,
      this.status,
      ...Object.entries(commands).map(([name, does]) => vscode.commands.registerCommand(`${SECTION}.${name}`, does)),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.restart()),
      vscode.workspace.onDidChangeConfiguration((event) => this.changeConfiguration(event)),
      { dispose: () => void this.stop() },
    );
    void onDidChangeInterpreter(() => this.restart()).then((change) => change && context.subscriptions.push(change));
  }

  /** Starts the server again. Two restarts at once follow each other. */
  restart(): Promise<void> {
    this.latest = this.latest.then(() => this.stop()).then(() => this.start());
    return this.latest;
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client?.state === State.Running) {
      await client.stop();
    }
  }

  private async start(): Promise<void> {
    const server = await findServer();
    if (server.command === undefined) {
      this.status.off(server.why);
      return;
    }
    this.output.info(`starting ${server.command.join(" ")} (${server.why})`);
    this.client = newClient(server.command, this.output, (state) => this.status.show(state));
    this.status.starting();
    try {
      await this.client.start();
    } catch (error) {
      this.output.error(String(error));
      this.client = undefined;
      this.status.off(`the server does not start: pip install 'jaxtyped-static[editor]' into ${server.command[0]}`);
    }
  }

  private async changeConfiguration(event: vscode.ConfigurationChangeEvent): Promise<void> {
    if (["server", "python"].some((name) => event.affectsConfiguration(`${SECTION}.${name}`))) {
      await this.restart();
    } else if (event.affectsConfiguration(SECTION)) {
      await this.client?.sendNotification("workspace/didChangeConfiguration", { settings: settings() });
    }
  }

  private async checkProject(): Promise<void> {
    if (this.client === undefined) {
      await this.restart();
    }
    await checkProject(this.client);
  }
}

let extension: Extension | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  extension = new Extension(context);
  await extension.restart();
}

export async function deactivate(): Promise<void> {
  await extension?.stop();
}
