// The timeline by mouse, touch and keyboard.

const canvas = $("events");

function hover(event) {
  const found = eventAt(event.offsetX, event.offsetY);
  const lane = found || event.offsetX > size.gutter ? null : laneAt(event.offsetY);
  if (found !== state.hovered) redraw();
  state.hovered = found;
  canvas.style.cursor = found ? "pointer" : "";
  if (found || lane) showTip(found ? tipOf(found) : laneTip(lane), event.offsetX, event.offsetY + 8);
  else hideTip();
}

// Dragging moves the lanes; a press without that chooses.
function listenToLanes() {
  let last = null, isDragged = false;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    [last, isDragged] = [{ x: event.clientX, y: event.clientY }, false];
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!last) return void hover(event);
    const dx = event.clientX - last.x, dy = event.clientY - last.y;
    if (!isDragged && Math.hypot(dx, dy) < 4) return;
    isDragged = true;
    hideTip();
    canvas.classList.add("dragged");
    $("lanes").scrollTop -= dy;
    moveBy((-dx / plotWidth()) * (view.to - view.from));
    last = { x: event.clientX, y: event.clientY };
  });
  canvas.addEventListener("pointerup", (event) => {
    if (last && !isDragged) press(event);
    last = null;
    canvas.classList.remove("dragged");
  });
  canvas.addEventListener("pointercancel", () => { last = null; });
  canvas.addEventListener("pointerleave", () => { state.hovered = null; hideTip(); redraw(); });
}

function press(event) {
  const found = eventAt(event.offsetX, event.offsetY);
  const lane = event.offsetX < size.gutter ? laneAt(event.offsetY) : null;
  if (lane) focusEvent(lane.shown[0]);
  if (!found) return;
  state.focused = found;
  choose(found);
}

// In the strip above, dragging chooses the time to show, and a press moves there.
function listenToOverview() {
  const strip = $("overview");
  let from = null;
  const timeOf = (event) => ((event.offsetX - size.gutter) / plotWidth()) * wholeTime;
  strip.addEventListener("pointerdown", (event) => {
    from = { time: timeOf(event), x: event.offsetX };
    strip.setPointerCapture(event.pointerId);
  });
  strip.addEventListener("pointermove", (event) => {
    if (from && Math.abs(event.offsetX - from.x) > 4) show(Math.min(from.time, timeOf(event)), Math.max(from.time, timeOf(event)));
  });
  strip.addEventListener("pointerup", (event) => {
    if (from && Math.abs(event.offsetX - from.x) <= 4) moveBy(from.time - (view.from + view.to) / 2);
    from = null;
  });
}

function wheel(event) {
  if (event.ctrlKey || event.metaKey) zoom(Math.exp(-event.deltaY / 200), event.offsetX);
  else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) moveBy((((event.deltaX || event.deltaY) * 1.2) / plotWidth()) * (view.to - view.from));
  else return;
  hideTip();
  event.preventDefault();
}

const ZOOMS = { "+": () => zoomByKey(1.5), "=": () => zoomByKey(1.5), "-": () => zoomByKey(1 / 1.5), 0: () => show(0, wholeTime) };

// Around the event that the keyboard is at.
function zoomByKey(factor) {
  const at = state.focused ? xOf(state.focused.start + state.focused.total / 2) : 0;
  at > size.gutter && at < size.width ? zoom(factor, at) : zoom(factor);
}

// After the timeline has moved.
function keepTip() {
  if (document.activeElement === canvas && !$("tip").hidden) showFocusedTip();
}

function timelineKeys(event) {
  const across = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const down = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10 }[event.key];
  if (across && event.shiftKey) { moveBy(across * 0.2 * (view.to - view.from)); keepTip(); }
  else if (across) focusEvent(alongLane(across));
  else if (down) focusEvent(inOtherLane(down));
  else if (event.key === "Home" || event.key === "End") focusEvent(shown[laneOf.get(state.focused) ?? 0]?.shown.at(event.key === "Home" ? 0 : -1));
  else if ((event.key === "Enter" || event.key === " ") && state.focused) choose(state.focused);
  else return;
  event.preventDefault();
}

function alongLane(step) {
  const lane = shown[laneOf.get(state.focused)];
  if (!lane) return shown[0]?.shown[0];
  return lane.shown[lane.shown.indexOf(state.focused) + step] ?? state.focused;
}

// The event of another lane that is nearest in time.
function inOtherLane(step) {
  if (!state.focused) return shown[0]?.shown[0];
  const index = Math.min(Math.max(laneOf.get(state.focused) + step, 0), shown.length - 1);
  const away = (event) => Math.abs(event.start - state.focused.start);
  return index === laneOf.get(state.focused) ? state.focused : shown[index].shown.reduce((best, event) => (away(event) < away(best) ? event : best));
}

function listenToTimeline() {
  listenToLanes();
  listenToOverview();
  for (const one of [canvas, $("overview")]) one.addEventListener("wheel", wheel, { passive: false });
  $("lanes").addEventListener("scroll", () => { if (state.hovered) hideTip(); redraw(); });
  canvas.addEventListener("keydown", timelineKeys);
  canvas.addEventListener("focus", () => { if (canvas.matches(":focus-visible")) focusEvent(state.focused ?? shown[0]?.shown[0]); });
  canvas.addEventListener("blur", hideTip);
  $("in").addEventListener("click", ZOOMS["+"]);
  $("out").addEventListener("click", ZOOMS["-"]);
  $("fit").addEventListener("click", ZOOMS[0]);
  new ResizeObserver(resize).observe($("timeline"));
}
