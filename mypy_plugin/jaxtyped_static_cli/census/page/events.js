// Clicks and keys.

function openBox(box) {
  if (box.dataset.open !== undefined) {
    const key = box.dataset.open;
    toggle(key, true);
    const inside = drawn.places.find(({ box: { node, group } }) => (node?.path ?? group.key).startsWith(key));
    if (inside) focusBox(boxOf(inside.box.id));
  } else select(box.dataset.id, { focus: true });
}

scene.addEventListener("click", (event) => {
  const box = event.target.closest(".node"), frame = event.target.closest("[data-close]");
  if (box) openBox(box);
  else if (frame && event.target.tagName === "text") toggle(frame.dataset.close, false);
});
scene.addEventListener("pointerover", (event) => {
  const box = event.target.closest(".node");
  if (!box) return;
  showTip(box);
  mark(box.dataset.id);
});
scene.addEventListener("pointerout", (event) => {
  if (!event.target.closest(".node")) return;
  hideTip();
  mark();
});
scene.addEventListener("focusin", (event) => {
  const box = event.target.closest(".node");
  if (box) { showTip(box); mark(box.dataset.id); }
});
scene.addEventListener("focusout", () => { hideTip(); mark(); });

scene.addEventListener("keydown", (event) => {
  const box = event.target.closest(".node");
  if (!box) return;
  if (DIRECTIONS[event.key]) {
    const next = neighbour(drawn.places, box.dataset.id, DIRECTIONS[event.key]);
    if (next) focusBox(boxOf(next));
  } else if (event.key === "Enter" || event.key === " ") openBox(box);
  else if (event.key === "c" && graph.nodes.has(box.dataset.id)) {
    const { path } = graph.nodes.get(box.dataset.id);
    toggle(path, false);
    focusBox(boxOf(`module:${path}`) ?? scene.querySelector(".node"));
  } else return;
  event.preventDefault();
});

list.addEventListener("keydown", (event) => { if (listKeys(list, event)) event.preventDefault(); });
search.addEventListener("input", fillList);
search.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") { list.querySelector("button")?.focus(); event.preventDefault(); }
  if (event.key === "Enter") select(list.querySelector("button")?.dataset.id);
});
for (const panel of [list, $("details")]) {
  panel.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-id]");
    if (button) select(button.dataset.id);
  });
}

const ZOOMS = { "+": () => camera.zoom(1.25), "=": () => camera.zoom(1.25), "-": () => camera.zoom(0.8), 0: () => camera.fit() };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyping = event.target === search;
  if (event.key === "Escape") {
    if (isTyping && search.value) { search.value = ""; fillList(); } else back();
  } else if (isTyping) return;
  else if (event.key === "/") { search.focus(); search.select(); event.preventDefault(); }
  else ZOOMS[event.key]?.();
});

$("back").addEventListener("click", back);
$("fit").addEventListener("click", () => camera.fit());
$("in").addEventListener("click", () => camera.zoom(1.25));
$("out").addEventListener("click", () => camera.zoom(0.8));
$("collapse").addEventListener("click", () => {
  state.chosen = new Map(all.map((node) => [node.path, false]));
  redraw();
});

$("filters").append(...Object.keys(FILTERS).map((name) => {
  const box = element("input", { type: "checkbox", checked: true });
  box.addEventListener("change", () => {
    box.checked ? state.hidden.delete(name) : state.hidden.add(name);
    fillList();
    redraw();
  });
  return element("label", { className: name }, box, ` ${name}`);
}));

function begin() {
  const count = (items, name) => `${items.length} ${name}`;
  $("title").textContent = `Census of ${census.project}`;
  document.title = $("title").textContent;
  const odd = all.filter((node) => node.verdict === "broken").length;
  $("summary").textContent = `${count(census.functions, "compiled functions")}, ${count(census.classes, "classes")} in ${census.files} files; ${odd} broken`;
  $("details").replaceChildren(...introduction());
  fillList();
  redraw();
  document.body.dataset.ready = "true";
}

begin();
