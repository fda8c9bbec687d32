// The lists below the timeline.

const ROWS_SHOWN = 15;

// `entries`: each with its events and a row; `most`: how many rows there are before a button shows all.
function listSection(title, explains, entries, { unit = "function", isCollapsed = false, most = ROWS_SHOWN } = {}) {
  const count = element("span", { className: "count" });
  const rows = element("ul", { "aria-label": title });
  const more = element("button", { type: "button", className: "more", hidden: true });
  const empty = element("p", { className: "faint", hidden: true }, "Nothing here matches.");
  const inside = element("div", { className: "list" }, element("p", { className: "explains" }, explains), rows, more, empty);
  const heading = element("h2", {}, title);
  const section = isCollapsed
    ? element("details", { className: "section" }, element("summary", { className: "title" }, heading, count), inside)
    : element("section", { className: "section", "aria-label": title }, element("div", { className: "title" }, heading, count), inside);
  const list = { section, title, unit, entries, count, rows, more, empty, most, isWhole: false, found: entries };
  more.addEventListener("click", () => showAll(list));
  inside.addEventListener("keydown", (event) => { if (rowKeys(inside, event)) event.preventDefault(); });
  return list;
}

function fill(list, matches) {
  list.found = list.entries.filter((entry) => entry.events.some((event) => matches[event.index]));
  const shown = list.isWhole ? list.found : list.found.slice(0, list.most);
  list.rows.replaceChildren(...shown.map((entry) => (entry.element ??= row(entry.row()))));
  for (const [index, one] of list.rows.querySelectorAll(":scope > li > details > summary").entries()) one.tabIndex = index ? -1 : 0;
  const rest = list.found.length - shown.length;
  list.more.hidden = !rest;
  list.more.textContent = `Show ${rest.toLocaleString("en")} more`;
  list.empty.hidden = list.found.length > 0;
  const all = counted(list.entries.length, list.unit), total = seconds(sum(list.entries.map((entry) => entry.seconds)));
  list.count.textContent = list.found.length === list.entries.length ? `${all}, ${total}` : `${list.found.length.toLocaleString("en")} of ${all}`;
}

function showAll(list) {
  const at = list.rows.children.length;
  list.isWhole = true;
  fill(list, state.matches);
  list.rows.children[at]?.querySelector("summary").focus();
}

// `own`: its events.
function againEntry(one, own) {
  const owner = functions[one.function], line = frames[one.line];
  return {
    events: own, seconds: one.seconds,
    row: () => ({
      amount: one.seconds, most: run.again[0].seconds,
      head: [
        element("b", { className: "name" }, owner.name), owner.madeBy ? element("span", { className: "made" }, owner.madeBy) : "",
        element("span", { className: "faint" }, counted(one.programs, "program")), placeElement(line ?? owner),
      ],
      lines: [
        line?.source ? element("code", { className: "source" }, line.source) : "",
        ...one.by_reason.slice(0, REASONS_SHOWN).map(reasonLine),
        one.by_reason.length > REASONS_SHOWN ? element("span", { className: "line faint" }, `... and ${counted(one.by_reason.length - REASONS_SHOWN, "other reason")}`) : "",
      ].filter(Boolean),
      inside: () => [
        element("p", {}, owner.place ? `Defined in ${owner.place}. ` : "", timelineButton(own)),
        ...one.by_reason.slice(REASONS_SHOWN).map(reasonLine),
        ...stacksOf(own),
      ],
    }),
  };
}

// A line of a table: `own` has its events.
function lineEntry(one, own, most) {
  const line = frames[one.line];
  return {
    events: own, seconds: one.seconds,
    row: () => ({
      amount: one.seconds, most,
      head: [
        line ? element("b", {}, placeElement(line)) : element("b", {}, "no line of the program"), line ? element("span", { className: "in" }, line.name) : "",
        element("span", { className: "faint" }, counted(one.programs, one.names ? "small program" : "program")),
      ],
      lines: [
        line?.source ? element("code", { className: "source" }, line.source) : "",
        one.names ? element("span", { className: "line faint" }, one.names.slice(0, 4).join(", ") + (one.names.length > 4 ? ", ..." : "")) : "",
      ].filter(Boolean),
      inside: () => [element("p", {}, timelineButton(own)), namesOf(own), ...stacksOf(own)],
    }),
  };
}

// Functions with programs of one kind only.
function functionEntries(kind) {
  const compiledAgain = new Set(run.again.map((one) => functions[one.function]));
  const own = events.filter((event) => event.what === kind && (kind !== "first" || !compiledAgain.has(event.function)));
  const found = [...grouped(own, (event) => event.function)].map(([owner, alike]) => ({ owner, alike, amount: sum(alike.map((event) => event.total)) }));
  found.sort((a, b) => b.amount - a.amount);
  return found.map(({ owner, alike, amount }) => ({
    events: alike, seconds: amount,
    row: () => ({
      amount, most: found[0].amount,
      head: [
        element("b", { className: "name" }, owner.name), owner.madeBy ? element("span", { className: "made" }, owner.madeBy) : "",
        alike.length > 1 ? element("span", { className: "faint" }, counted(alike.length, "time")) : "", placeElement(owner),
      ],
      inside: () => [element("p", {}, timelineButton(alike)), ...stacksOf(alike)],
    }),
  }));
}

function lineEntries(lines, key, kind) {
  const groups = grouped(events.filter((event) => !kind || event.what === kind), (event) => key(event)?.index ?? null);
  return lines.map((one) => lineEntry(one, groups.get(one.line) ?? [], lines[0].seconds));
}

function againEntries() {
  const groups = grouped(events.filter((event) => event.what === "again"), (event) => event.function.index);
  return run.again.map((one) => againEntry(one, groups.get(one.function)));
}

function makeLists() {
  const ranked = [
    listSection("Compiled again, by cost", "JAX had no program for a call, so it compiled another one. Below each function: what differed from the most similar earlier call.", againEntries()),
    listSection("Never again", "Functions that were compiled once, and then only run.", functionEntries("first"), { isCollapsed: true }),
    listSection("Traced, but not compiled", "For eval_shape, lower or make_jaxpr.", functionEntries("traced"), { isCollapsed: true }),
  ];
  const tables = [
    listSection("Operations outside of jit", "Each operation that runs outside of a compiled function is a small program of its own, for each shape.", lineEntries(run.operations, (event) => event.line, "operation"), { unit: "line", most: 8 }),
    listSection("By line of the program", "All programs, by the line of the program that asked for them.", lineEntries(run.user_lines, (event) => event.line), { unit: "line", most: 8 }),
    listSection("By line of a library", "Programs that an installed package asked for.", lineEntries(run.library_lines, (event) => event.libraryLine), { unit: "line", most: 8 }),
  ];
  const used = (list) => list.entries.length > 0;
  $("ranked").replaceChildren(...ranked.filter(used).map((list) => list.section));
  $("tables").replaceChildren(...tables.filter(used).map((list) => list.section));
  return [...ranked, ...tables].filter(used);
}
