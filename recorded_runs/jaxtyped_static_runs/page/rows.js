// A list whose rows can be opened, by keyboard too: up and down between rows, right opens, left closes.

const REASONS_SHOWN = 3;
const STACKS_SHOWN = 8;

// `inside`: makes what an open row shows.
function row({ amount, most, head, lines = [], inside }) {
  const strip = element("span", { className: "strip", "aria-hidden": true, style: { width: `${most ? Math.max((100 * amount) / most, 0.5) : 0}%` } });
  const summary = element("summary", {}, strip, element("span", { className: "amount" }, seconds(amount)), element("span", { className: "what" }, ...head), ...lines);
  const details = element("details", {}, summary);
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(element("div", { className: "inside" }, ...inside()));
  });
  return element("li", {}, details);
}

function rowKeys(list, event) {
  const summary = event.target.closest("summary");
  const more = event.target.closest(".more");
  if (!summary && !more) return false;
  const all = [...list.querySelectorAll(":scope > ul > li > details > summary, :scope > .more")].filter((one) => one.offsetParent);
  const at = all.indexOf(summary ?? more);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1, PageDown: at + 10, PageUp: at - 10 }[event.key];
  if (to !== undefined) focusRow(list, all[Math.min(Math.max(to, 0), all.length - 1)]);
  else if (summary && event.key === "ArrowRight") summary.parentElement.open = true;
  else if (summary && event.key === "ArrowLeft") summary.parentElement.open = false;
  else return false;
  return true;
}

// One row of a list is reached by Tab, the others by arrows.
function focusRow(list, target) {
  for (const one of list.querySelectorAll(':scope > ul > li > details > summary[tabindex="0"]')) one.tabIndex = -1;
  target.tabIndex = 0;
  target.focus();
}

function reasonLine({ reasons, seconds: amount, programs, varies }) {
  const times = programs > 1 ? ` (${programs.toLocaleString("en")} times${varies ? ", with other values" : ""})` : "";
  const all = reasons.length ? alike(reasons) : [["", "the call is not known", null]];
  return element(
    "span", { className: "line" }, element("span", { className: "amount" }, seconds(amount)),
    element("span", {}, ...all.flatMap((one, index) => [index ? element("br") : "", reasonElement(one)]), element("span", { className: "faint" }, times)),
  );
}

// The stacks of some events, the costliest first.
function stacksOf(own) {
  const found = [...grouped(own, (event) => event.stackIndex).values()].map((alike) => ({ alike, amount: sum(alike.map((event) => event.total)) }));
  found.sort((a, b) => b.amount - a.amount);
  const shown = found.slice(0, STACKS_SHOWN).map(({ alike, amount }) => element(
    "div", { className: "asked" },
    element("p", {}, element("b", {}, seconds(amount)), ` ${counted(alike.length, "program")}, asked for by`), stackElement(alike[0].stack),
  ));
  const rest = found.length - shown.length;
  return [...shown, rest > 0 ? element("p", { className: "faint" }, `... and ${counted(rest, "other stack")}`) : ""].filter(Boolean);
}

// What some events prepared, by function, the costliest first.
function namesOf(own) {
  const found = [...grouped(own, (event) => event.function).entries()].map(([owner, alike]) => ({ owner, alike, amount: sum(alike.map((event) => event.total)) }));
  found.sort((a, b) => b.amount - a.amount);
  const shown = found.slice(0, 12).map(({ owner, alike, amount }) => element(
    "li", {}, element("span", { className: "amount" }, seconds(amount)), element("span", { className: "name" }, owner.name), " ", placeElement(owner),
    element("span", { className: "faint" }, ` ${counted(alike.length, "program")}`),
  ));
  const rest = found.length - shown.length;
  return element("ul", { className: "names" }, ...shown, rest > 0 ? element("li", { className: "faint" }, `... and ${rest.toLocaleString("en")} more`) : "");
}

function timelineButton(own) {
  return element("button", { type: "button", className: "link", data: { event: own[0].index } }, "Show in the timeline");
}
