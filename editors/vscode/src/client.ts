/** The connection to the server. */

import * as vscode from "vscode";
import { LanguageClient, Location, Position } from "vscode-languageclient/node";

import { showReasons } from "./commands";
import { ProjectState } from "./status";

const SHOW_CALLERS = "jaxtypedStatic.showCallers";
const SHOW_REASONS = "jaxtypedStatic.showReasons";

export function newClient(
  [command, ...args]: string[],
  output: vscode.LogOutputChannel,
  onStatus: (state: ProjectState) => void,
): LanguageClient {
  const client: LanguageClient = new LanguageClient(
    "jaxtypedStatic",
    "jaxtyped-static",
    { command: command as string, args },
    {
      documentSelector: [
        { language: "python", scheme: "file" },
        { language: "python", scheme: "untitled" },
      ],
      outputChannel: output,
      initializationOptions: settings(),
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{py,pyi,toml,cfg,ini}") },
      middleware: {
        executeCommand: (name, given, next) => {
          if (name === SHOW_CALLERS) {
            return showCallers(client, given as [string, Position, Location[]]);
          }
          return name === SHOW_REASONS ? showReasons(given as [string, string[], string], output) : next(name, given);
        },
      },
    },
  );
  client.onNotification("jaxtypedStatic/status", onStatus);
  return client;
}

/** What the server is told of the settings. */
export function settings(changed: Record<string, unknown> = {}): Record<string, unknown> {
  return { jaxtypedStatic: { ...vscode.workspace.getConfiguration("jaxtypedStatic"), ...changed } };
}

function showCallers(client: LanguageClient, [uri, position, locations]: [string, Position, Location[]]): Thenable<unknown> {
  const convert = client.protocol2CodeConverter;
  return vscode.commands.executeCommand(
    "editor.action.showReferences",
    convert.asUri(uri),
    convert.asPosition(position),
    locations.map((location) => convert.asLocation(location)),
  );
}
