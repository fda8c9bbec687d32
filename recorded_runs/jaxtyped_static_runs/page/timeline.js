// The timeline's lanes: which are shown, how large it is, and which event is chosen.

const HIGHEST = 13.5;  // lanes; with more the timeline is scrolled
let shown = [];
let laneOf = new Map();
let isDue = false;

function redraw() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    paintOverview();
    paintLanes();
    $("window").textContent = isWhole() ? counted(shown.length, "lane") : `${moment(view.from, view.to - view.from)} to ${moment(view.to, view.to - view.from)} of ${seconds(wholeTime)}`;
  });
}

// Shows the lanes that have matching events, with these only.
function filterLanes() {
  shown = lanes.map((lane) => ({ ...lane, shown: lane.events.filter((event) => state.matches[event.index]) })).filter((lane) => lane.shown.length);
  laneOf = new Map(shown.flatMap((lane, index) => lane.shown.map((event) => [event, index])));
  if (!laneOf.has(state.focused)) state.focused = null;
  state.hovered = null;
  hideTip();
  $("nothing").hidden = shown.length > 0;
  resize();
}

function resize() {
  const box = $("lanes");
  size.height = Math.min(Math.max(shown.length, 1), HIGHEST) * LANE;
  box.style.height = `${size.height}px`;
  $("all-lanes").style.height = `${Math.max(shown.length, 1) * LANE}px`;
  size.width = box.clientWidth;
  size.gutter = Math.round(Math.min(260, size.width * 0.3));
  redraw();
}

function laneAt(y) {
  return shown[Math.floor((y + $("lanes").scrollTop) / LANE)];
}

// The event under a place in the lanes: the shortest, or one that is very near.
function eventAt(x, y) {
  if (x < size.gutter) return null;
  let found = null, best = 4;
  for (const event of laneAt(y)?.shown ?? []) {
    const { x: left, wide } = extent(event);
    const away = Math.max(left - x, x - left - wide, 0);
    if (away < best || (away === 0 && best === 0 && event.total < found.total)) [found, best] = [event, away];
  }
  return found;
}

// Scrolls and moves as little as needed to show an event.
function reveal(event) {
  const box = $("lanes"), top = laneOf.get(event) * LANE, long = view.to - view.from;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + LANE > box.scrollTop + size.height) box.scrollTop = top + LANE - size.height;
  if (event.at < view.from || event.start > view.to) show(event.start + event.total / 2 - long / 2, event.start + event.total / 2 + long / 2);
}

function focusEvent(event) {
  if (!event) return;
  state.focused = event;
  reveal(event);
  showFocusedTip();
  $("says").textContent = eventText(event);
  redraw();
}

// The tip of the event that the keyboard is at goes with it, when the timeline moves.
function showFocusedTip() {
  const event = state.focused;
  if (!event || event.at < view.from || event.start > view.to) return void hideTip();
  const { x, wide } = extent(event);
  showTip(tipOf(event), Math.max(x, size.gutter) + Math.min(wide, 20) / 2, laneOf.get(event) * LANE - $("lanes").scrollTop + LANE);
}

// Shows all that is known of an event below the timeline.
function choose(event, isAsked = true) {
  state.chosen = event;
  const panel = $("chosen");
  panel.hidden = !event;
  if (event) {
    const close = element("button", { type: "button", className: "close", "aria-label": "Close" }, "×");
    close.addEventListener("click", () => { choose(null); $("events").focus(); });
    panel.replaceChildren(close, ...eventDetails(event));
    if (isAsked) panel.scrollIntoView({ block: "nearest" });
  }
  redraw();
}

// Shows in the timeline what a list or another event means, even if the search hides it.
function visit(event) {
  if (!state.matches[event.index]) searchFor("");
  if (laneOf.get(event) === undefined) return;
  choose(event, false);
  $("times").scrollIntoView({ block: "start" });
  $("events").focus({ preventScroll: true });
  focusEvent(event);
}

function showTip(content, x, y) {
  const tip = $("tip");
  tip.replaceChildren(...content);
  tip.hidden = false;
  const left = Math.min(x + 12, $("timeline").clientWidth - tip.offsetWidth - 4), top = y + $("lanes").offsetTop + 8;
  const isBelow = $("timeline").getBoundingClientRect().top + top + tip.offsetHeight > window.innerHeight;
  tip.style.left = `${Math.max(left, 4)}px`;
  tip.style.top = `${isBelow ? top - tip.offsetHeight - LANE - 24 : top}px`;
}

function hideTip() {
  $("tip").hidden = true;
}
