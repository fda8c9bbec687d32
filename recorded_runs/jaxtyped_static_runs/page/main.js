// The state of the page, the search, and the keys that work everywhere.

// `matches`: whether each event is found. `focused`: by keyboard, in the timeline. `chosen`: in the panel below it.
const state = { matches: events.map(() => true), focused: null, hovered: null, chosen: null };
const search = $("search");
let lists = [];

function searchFor(text) {
  search.value = text;
  state.matches = matching(text);
  const count = state.matches.filter(Boolean).length;
  $("found").textContent = text.trim() ? `${count.toLocaleString("en")} of ${counted(events.length, "program")}` : "";
  for (const list of lists) fill(list, state.matches);
  for (const button of document.querySelectorAll("button.card")) button.setAttribute("aria-pressed", text.trim() === `is:${button.dataset.kind}`);
  filterLanes();
}

function pageKeys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    if (search.value) searchFor("");
    else if (!$("tip").hidden) hideTip();
    else if (state.chosen) choose(null);
  } else if (event.target === search) {
    if (event.key === "ArrowDown") firstRow()?.focus();
    else return;
    event.preventDefault();
  } else if (event.key === "/") {
    search.focus();
    search.select();
    event.preventDefault();
  } else if (ZOOMS[event.key]) {
    ZOOMS[event.key]();
    keepTip();
  }
}

function firstRow() {
  return [...document.querySelectorAll('.list summary[tabindex="0"]')].find((one) => one.offsetParent);
}

function listenToPage() {
  document.addEventListener("keydown", pageKeys);
  search.addEventListener("input", () => searchFor(search.value));
  document.addEventListener("click", (event) => {
    const link = event.target.closest("button[data-event]"), kind = event.target.closest("button.card")?.dataset.kind;
    if (link) visit(events[Number(link.dataset.event)]);
    if (kind) searchFor(search.value.trim() === `is:${kind}` ? "" : `is:${kind}`);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  // Paper is white.
  for (const name of ["beforeprint", "afterprint"]) {
    window.addEventListener(name, () => {
      document.documentElement.classList.toggle("printing", name === "beforeprint");
      readColours();
      paintOverview();
      paintLanes();
    });
  }
}

function repaint() {
  readColours();
  redraw();
}

function begin() {
  showHead();
  for (const id of ["times", "searching"]) $(id).hidden = !events.length;
  lists = makeLists();
  readColours();
  listenToTimeline();
  listenToPage();
  searchFor("");
  document.body.dataset.ready = "true";
}

begin();
