// The state of the page, and what changes it.

const census = JSON.parse(document.getElementById("census").textContent);
const graph = readGraph(census);
const all = [...graph.nodes.values()].sort(byOddness);
const $ = (id) => document.getElementById(id);
const view = $("graph"), scene = $("scene"), list = $("list"), search = $("search"), tip = $("tip");
const camera = makeCamera(view, scene);
// `chosen`: modules that the reader opened or closed. `center`: the node whose surroundings are shown, in a large program.
const state = { chosen: new Map(), center: null, selected: null, hidden: new Set() };
// What is drawn: elements of boxes and edges, and the places of boxes, by identifiers of boxes; and what of it is marked.
let drawn = { boxes: new Map(), edges: new Map(), places: [] };
let marked = [];

const FILTERS = {
  static: (node) => node.role === "static", dynamic: (node) => node.role === "dynamic", both: (node) => node.role === "both",
  functions: (node) => node.isFunction,
  broken: (node) => node.verdict === "broken", unproven: (node) => node.verdict === "unproven", sound: (node) => node.verdict === "sound",
};

function passes(node) {
  return ![...state.hidden].some((name) => FILTERS[name](node));
}

function redraw() {
  const nodes = (state.center ? around(graph, state.center) : all).filter((node) => passes(node) || node.id === state.center);
  const shown = visible(graph, nodes, state.chosen);
  const { width, height } = view.getBoundingClientRect();
  const placed = layout(shown, width, height);
  draw(scene, placed);
  drawn = { ...elementsIn(scene), places: placed.boxes };
  (boxOf(state.selected) ?? scene.querySelector(".node"))?.setAttribute("tabindex", 0);
  $("back").hidden = !state.center;
  const closed = shown.boxes.filter((box) => box.group).length;
  $("shown").textContent = shownText(nodes.length, shown.boxes.length - closed, closed);
  camera.begin(placed);
  markSelected();
}

function shownText(count, open, closed) {
  const modules = `${closed} closed module${closed === 1 ? "" : "s"}`;
  if (!closed) return count === all.length ? `all ${count} shown` : `${count} of ${all.length} shown`;
  return open ? `${open} shown, ${count - open} in ${modules}` : `${count} in ${modules}`;
}

function fillList() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter((node) => passes(node) && words.every((word) => `${node.id} ${node.role} ${node.verdict}`.toLowerCase().includes(word)));
  list.replaceChildren(...found.map(listEntry));
  list.querySelector("button")?.setAttribute("tabindex", 0);
  $("count").textContent = found.length === all.length ? `${all.length} functions and classes` : `${found.length} of ${all.length}`;
  markSelected();
}

// Shows a node: in a program that does not fit, with its surroundings only.
function select(id, { focus = false } = {}) {
  const node = graph.nodes.get(id);
  if (!node) return;
  state.selected = id;
  $("details").replaceChildren(...details(graph, node));
  $("details").scrollTop = 0;
  let box = boxOf(id);
  if (!box || (state.center && state.center !== id)) {
    state.center = id;
    state.chosen = new Map([...state.chosen, ...groupsAround(node.path)]);
    redraw();
    box = boxOf(id);
  }
  markSelected();
  if (box) {
    camera.reveal(box);
    if (focus) focusBox(box);
  }
}

function boxOf(id) {
  return drawn.boxes.get(id);
}

function groupsAround(path) {
  const parts = path.split("/");
  return parts.map((_, index) => [parts.slice(0, index + 1).join("/"), true]);
}

// The whole program again.
function back() {
  hideTip();
  if (state.center) {
    state.center = null;
    state.chosen = new Map();
    redraw();
  } else if (state.selected) {
    state.selected = null;
    $("details").replaceChildren(...introduction());
    markSelected();
  }
}

function toggle(key, isOpen) {
  state.chosen.set(key, isOpen);
  redraw();
}

// Marks a node, and the nodes and edges next to it.
function mark(id = state.selected) {
  for (const old of marked) old.classList.remove("near");
  const edges = drawn.edges.get(id) ?? [];
  const near = new Set([id, ...edges.flatMap((edge) => [edge.dataset.from, edge.dataset.to])]);
  marked = [...edges, ...[...near].map((one) => drawn.boxes.get(one)).filter(Boolean)];
  for (const one of marked) one.classList.add("near");
  scene.classList.toggle("faded", drawn.boxes.has(id));
}

function markSelected() {
  for (const old of document.querySelectorAll("#scene .selected")) old.classList.remove("selected");
  boxOf(state.selected)?.classList.add("selected");
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  list.querySelector(`[data-id="${CSS.escape(state.selected ?? "")}"]`)?.setAttribute("aria-current", true);
  mark();
}

function focusBox(box) {
  for (const other of scene.querySelectorAll('.node[tabindex="0"]')) other.setAttribute("tabindex", -1);
  box.setAttribute("tabindex", 0);
  camera.reveal(box);
  box.focus({ preventScroll: true });
}

function showTip(box) {
  const node = graph.nodes.get(box.dataset.id);
  tip.replaceChildren(...(node ? tipOf(node) : [element("p", {}, box.getAttribute("aria-label"))]));
  tip.hidden = false;
  const outer = $("view").getBoundingClientRect(), one = box.getBoundingClientRect(), own = tip.getBoundingClientRect();
  const below = one.bottom - outer.top + 8;
  const top = below + own.height > outer.height ? one.top - outer.top - own.height - 8 : below;
  tip.style.left = `${Math.min(Math.max(one.left - outer.left, 6), Math.max(outer.width - own.width - 6, 6))}px`;
  tip.style.top = `${Math.max(top, 6)}px`;
}

function tipOf(node) {
  const reasons = node.reasons.slice(0, 3).map((one) => element("p", {}, reasonText(one, node.name)));
  return [
    element("p", {}, element("b", {}, node.isFunction ? `${node.name}()` : node.name), ` ${node.path}:${node.line}`),
    element("p", {}, element("b", { className: node.verdict }, `${SYMBOLS[node.verdict]} ${node.verdict}`), ", ", element("span", { className: node.role }, node.says)),
    ...reasons,
  ];
}

function hideTip() {
  tip.hidden = true;
}

function introduction() {
  return [
    element("h2", {}, "Functions and classes"),
    element("p", {}, "An arrow leads from a compiled function to the classes that it takes, and from a class to those that its objects hold."),
    element("ul", {}, ...[
      ["static", "static: part of the compilation key"], ["dynamic", "dynamic: a pytree that is traced"], ["both", "both, in different places"],
    ].map(([role, text]) => element("li", {}, element("b", { className: role }, text)))),
    element("p", {}, element("b", { className: "broken" }, "✗"), " cannot play its role; ", element("b", { className: "unproven" }, "?"), " nothing proves that it can."),
  ];
}
