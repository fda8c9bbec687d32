// The run: its events, and the lanes that they are in.

const KINDS = {
  first: { name: "Compiled for the first time", said: "compiled for the first time", count: (total) => counted(total.functions, "function") },
  again: { name: "Compiled again", said: "compiled again", count: (total) => `${counted(total.programs, "time")}, ${counted(total.functions, "function")}` },
  operation: { name: "Operations outside of jit", said: "operation outside of jit", count: (total) => counted(total.programs, "small program") },
  traced: { name: "Traced, but not compiled", said: "traced, but not compiled", count: (total) => counted(total.programs, "time") },
};
const PHASES = ["tracing", "lowering", "compiling"];

const run = JSON.parse($("run").textContent);
const functions = run.functions.map(readFunction);
const frames = run.frames.map(([file, line, name, isLibrary, source], index) => ({ index, file, line, name, isLibrary, source, place: placeOf(file, line), full: `${file}:${line}` }));
const stacks = run.stacks.map((stack) => stack.map((index) => frames[index]));
const events = run.preparations.map(readEvent);
const eventOf = new Map(events.map((event) => [event.number, event]));
const lanes = readLanes();
// Several processes ran side by side, and their seconds are counted together.
const wholeTime = events.reduce((longest, event) => Math.max(longest, event.at), Math.max(run.seconds / run.processes, 0.001));

function readFunction([name, file, line, madeBy, isLibrary], index) {
  return { index, name, file, line, madeBy, isLibrary, place: file ? placeOf(file, line) : "", full: file ? `${file}:${line}` : "" };
}

// Without the folder in which packages are installed.
function placeOf(file, line) {
  return `${file.replace(/^.*[\\/](site|dist)-packages[\\/]/, "")}:${line}`;
}

function readEvent(one, index) {
  const total = sum(one.seconds);
  return {
    ...one, index, total,
    start: Math.max(one.at - total, 0),
    function: functions[one.function],
    stack: stacks[one.stack],
    stackIndex: one.stack,
    line: frames[one.line] ?? null,
    libraryLine: frames[one.library_line] ?? null,
  };
}

// One lane for operations, and one for each function, the costliest first.
function readLanes() {
  const isOperation = (event) => event.what === "operation";
  const made = [...grouped(events.filter((event) => !isOperation(event)), (event) => event.function)]
    .map(([owner, own]) => ({ name: owner.name, place: owner.place, madeBy: owner.madeBy, isLibrary: owner.isLibrary, events: own }));
  const operations = events.filter(isOperation);
  const ordered = made.map(withSeconds).sort((a, b) => b.seconds - a.seconds);
  return operations.length ? [withSeconds({ name: KINDS.operation.name, place: "", isOperations: true, events: operations }), ...ordered] : ordered;
}

function withSeconds(lane) {
  lane.events.sort((a, b) => a.start - b.start);
  return { ...lane, seconds: sum(lane.events.map((event) => event.total)) };
}

function reasonText([path, says, code]) {
  return `${path ? `${path}: ` : ""}${says}${code ? `  [${code}]` : ""}`;
}

// What an event is called by someone who reads it aloud.
function eventText(event) {
  const why = event.reasons.map(reasonText).join("; ");
  return `${event.function.name}, ${KINDS[event.what].said}, ${seconds(event.total)}, from ${moment(event.start, event.total)} on${why ? `: ${why}` : ""}`;
}
