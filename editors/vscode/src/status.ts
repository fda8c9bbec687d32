/** The state of the project in the status bar. */

import * as vscode from "vscode";

/** What the server says after each check. */
export interface ProjectState {
  root: string;
  problem?: string;
  files?: number;
  harms?: Record<string, number>;
  unseen?: string[];
  python?: string;
  memory?: number;
}

const MEGABYTE = 2 ** 20;

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("jaxtypedStatic", vscode.StatusBarAlignment.Left);
  private readonly projects = new Map<string, ProjectState>();

  constructor() {
    this.item.name = "jaxtyped-static";
    this.item.command = "jaxtypedStatic.showLog";
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }

  starting(): void {
    this.projects.clear();
    this.set("$(sync~spin)", "", "starting");
  }

  off(why: string): void {
    this.projects.clear();
    this.set("$(circle-slash)", "", why);
  }

  show(state: ProjectState): void {
    this.projects.set(state.root, state);
    const states = [...this.projects.values()];
    const count = sum(states.flatMap((project) => Object.values(project.harms ?? {})));
    const icon = states.some((project) => project.problem) ? "$(warning)" : count > 0 ? "$(error)" : "$(check)";
    this.set(icon, count > 0 ? ` ${count}` : "", states.map(described).join("\n\n"));
  }

  private set(icon: string, text: string, tooltip: string): void {
    this.item.text = `${icon} JAX static${text}`;
    this.item.tooltip = new vscode.MarkdownString(`**jaxtyped-static**\n\n${tooltip}`);
  }
}

function described(state: ProjectState): string {
  if (state.problem) {
    return `${state.root}: ${state.problem}`;
  }
  const harms = Object.entries(state.harms ?? {}).map(([harm, count]) => `${harm}: ${count}`);
  const unseen = state.unseen?.length ? [`nothing is known of ${state.unseen.join(", ")}`] : [];
  return [
    `${state.root}: ${harms.join(", ") || "nothing found"} in ${state.files} files`,
    ...unseen,
    `${state.python}, ${Math.round((state.memory ?? 0) / MEGABYTE)} MB`,
  ].join("\\\n");
}

function sum(numbers: number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
