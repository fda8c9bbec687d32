// The head: where the time went.

function showHead() {
  $("program").textContent = run.program;
  $("program").title = run.folder ? `in ${run.folder}` : "";
  document.title = `${run.program}: recorded run`;
  const versions = Object.entries(run.versions).map(([name, version]) => `${name} ${version}`);
  const several = run.processes > 1 ? [`${run.processes} processes`] : [];
  const rest = [...several, ...versions, startedText()].filter(Boolean).join(" · ");
  const ended = run.ended === "exit 0" ? [] : [element("b", { className: "bad" }, `ended: ${run.ended}`), rest ? " · " : ""];
  $("about").replaceChildren(...ended, rest);
  $("about").title = $("about").textContent;
  const spent = sum(run.preparing);
  $("spent").replaceChildren(...spentText(spent));
  $("notes").replaceChildren(...notes().map((note) => element("p", {}, note)));
  if (!spent) return;
  const parts = partsOf(spent);
  const whole = sum(parts.map((part) => part.seconds));
  const phases = PHASES.map((name, index) => ({ kind: name, name: `${name[0].toUpperCase()}${name.slice(1)}`, seconds: run.preparing[index] }));
  $("bars").replaceChildren(bar("What for", parts, whole), bar("Doing what", [...phases, parts.at(-1)], whole), phaseLegend(phases, spent));
  $("kinds").replaceChildren(...parts.filter((part) => part.seconds || part.count).map((part) => card(part, whole)));
}

function startedText() {
  const time = new Date(run.started);
  return Number.isNaN(time.getTime()) ? run.started : `started ${run.started.replace("T", " ").replace(/\+00:00$/, " UTC")}`;
}

function spentText(spent) {
  const took = `${seconds(run.seconds)}${run.processes > 1 ? " of all processes" : ""}`;
  if (!spent && !events.length) return [element("b", {}, took), ": JAX prepared no program."];
  return [element("b", {}, seconds(spent)), ` of ${took} `, element("b", {}, `(${share(spent, run.seconds)})`), " went into preparing programs"];
}

// What the whole time consists of; the program's own work comes last.
function partsOf(spent) {
  const kinds = Object.entries(KINDS).map(([kind, { name, count }]) => {
    const total = run.totals[kind];
    return { kind, name, seconds: total.seconds, count: total.programs ? count(total) : "", isKind: true };
  });
  const beyond = run.not_listed ? `with ${counted(run.not_listed, "other program")}` : "by JAX, for no known program";
  const rest = sum(run.not_attributed);
  const own = Math.max(run.seconds - spent, 0);
  return [
    ...kinds,
    { kind: "unattributed", name: "Not attributed", seconds: rest >= 0.0005 ? rest : 0, count: rest >= 0.0005 ? beyond : "" },
    { kind: "own", name: "The program's own work", seconds: own, count: "imports, data, running" },
  ];
}

function bar(title, parts, whole) {
  const shown = parts.filter((part) => part.seconds > 0);
  const label = `${title}: ${shown.map((part) => `${part.name} ${seconds(part.seconds)}`).join(", ")}`;
  const pieces = shown.map((part) => element("span", {
    className: `piece ${part.kind}`, title: `${part.name}: ${seconds(part.seconds)} (${share(part.seconds, whole)})`, style: { "flex-grow": String(part.seconds / whole) },
  }));
  return element("div", { className: "bar" }, element("span", { className: "faint" }, title), element("div", { className: "pieces", role: "img", "aria-label": label }, ...pieces));
}

function phaseLegend(phases, spent) {
  return element("p", { id: "phases" }, ...phases.map((phase) => element("span", {}, swatch(phase.kind), `${phase.name} `, element("b", {}, seconds(phase.seconds)), element("span", { className: "faint" }, ` ${share(phase.seconds, spent)}`))));
}

// One with events is a button that shows these only.
function card(part, whole) {
  const inside = [
    element("span", { className: "label" }, swatch(part.kind), part.name),
    element("span", { className: "value" }, element("b", {}, seconds(part.seconds)), element("span", { className: "faint" }, ` ${share(part.seconds, whole)}`)),
    element("span", { className: "faint" }, part.count),
  ];
  if (!part.isKind) return element("div", { className: `card ${part.kind}` }, ...inside);
  return element("button", { type: "button", className: `card ${part.kind}`, title: "Show only these, or all again", "aria-pressed": false, data: { kind: part.kind } }, ...inside);
}

function notes() {
  const asked = events.filter((event) => event.on_disk !== null);
  const had = asked.filter((event) => event.on_disk).length;
  return [
    ...(asked.length ? [`JAX's cache on disk had ${had.toLocaleString("en")} of ${counted(asked.length, "program")}.`] : []),
    ...(run.not_listed ? [`${counted(run.not_listed, "program")} beyond the first ${counted(events.length, "program")} are only counted.`] : []),
    ...run.unknown.map((what) => `Not recorded: ${what}`),
  ];
}
