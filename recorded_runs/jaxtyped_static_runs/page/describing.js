// An event, a reason and a stack in words.

function reasonElement([path, says, code]) {
  return element(
    "span", { className: "reason" },
    path ? element("b", {}, path) : "", path ? ": " : "", element("span", {}, says), code ? element("code", { className: "code" }, code) : "",
  );
}

const PATHS_SHOWN = 2;

// Reasons that say the same of several arguments, as one.
function alike(reasons) {
  return [...grouped(reasons, ([, says, code]) => JSON.stringify([says, code])).values()].map((own) => {
    const paths = own.map(([path]) => path), more = paths.length - PATHS_SHOWN;
    return [`${paths.slice(0, PATHS_SHOWN).join(", ")}${more > 0 ? ` and ${more} more` : ""}`, own[0][1], own[0][2]];
  });
}

// The place of a frame or a function.
function placeElement({ place, full, isLibrary }) {
  return element("span", { className: isLibrary ? "place library" : "place", title: full }, place);
}

function frameElement(frame) {
  const source = frame.source ? element("code", { className: "source" }, frame.source) : "";
  const where = element("span", { className: "where" }, placeElement(frame), " ", element("span", { className: "in" }, frame.name));
  return element("li", { className: frame.isLibrary ? "library" : "" }, where, source);
}

function stackElement(stack) {
  if (!stack.length) return element("p", { className: "faint" }, "No line is known.");
  return element("ol", { className: "stack", "aria-label": "The lines that led to it, the innermost first" }, ...stack.map(frameElement));
}

// Tracing, lowering and compiling of one or more events.
function phasesText(parts) {
  return PHASES.map((phase, index) => `${phase} ${seconds(parts[index])}`).join(", ");
}

function tipOf(event) {
  const reasons = alike(event.reasons).slice(0, 4).map((one) => element("p", {}, reasonElement(one)));
  return [
    element("p", {}, element("b", { className: "name" }, event.function.name), " ", element("span", { className: "faint" }, event.function.place)),
    element("p", {}, swatch(event.what), `${KINDS[event.what].said}, `, element("b", {}, seconds(event.total)), ` (${phasesText(event.seconds)})`),
    ...reasons,
    event.line ? element("p", { className: "faint" }, `${event.line.place} ${event.line.name}`) : "",
  ].filter(Boolean);
}

function laneTip(lane) {
  const first = element("p", {}, element("b", { className: "name" }, lane.name), lane.madeBy ? element("span", { className: "faint" }, ` ${lane.madeBy}`) : "");
  const kinds = [...grouped(lane.events, (event) => event.what)].map(([kind, own]) => `${KINDS[kind].said} ${counted(own.length, "time")}`);
  const second = lane.isOperations ? counted(lane.events.length, "small program") : kinds.join(", ");
  return [first, lane.place ? element("p", { className: "faint" }, lane.place) : "", element("p", {}, `${seconds(lane.seconds)}: ${second}`)].filter(Boolean);
}

function swatch(kind) {
  return element("span", { className: `swatch ${kind}`, "aria-hidden": true });
}

// All that is known of an event, for the panel below the timeline.
function eventDetails(event) {
  const facts = [
    ["What", [swatch(event.what), KINDS[event.what].said, event.function.madeBy ? `, by ${event.function.madeBy}` : ""]],
    ["Time", [`${seconds(event.total)}: ${phasesText(event.seconds)}`]],
    ["When", [`from ${moment(event.start, event.total)} to ${moment(event.at, event.total)} after the start`]],
  ];
  if (event.reasons.length) facts.push(["Why", event.reasons.map((one) => element("div", {}, reasonElement(one)))]);
  const other = eventOf.get(event.like);
  if (other) facts.push(["Compared with", [element("button", { type: "button", className: "link", data: { event: other.index } }, `program ${other.number}`), `, the most similar earlier one`]]);
  if (event.on_disk !== null) facts.push(["Cache on disk", [event.on_disk ? "had it" : "did not have it"]]);
  if (event.thread) facts.push(["Thread", [event.thread]]);
  return [
    element("h3", {}, element("span", { className: "name" }, event.function.name), " ", placeElement(event.function), element("span", { className: "faint" }, `program ${event.number}`)),
    element("dl", {}, ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, ...value.filter(Boolean))])),
    element("h4", {}, "Asked for by, the innermost line first"),
    stackElement(event.stack),
  ];
}
