// The timeline, painted: only the lanes in sight, so thousands of events cost nothing.

// In the order in which they are painted; what matters most is above.
const PAINTED = ["traced", "first", "operation", "again"];
const COLOURS = ["page", "panel", "line", "text", "faint", "focus", "on-bar", ...PAINTED, ...PHASES];
const FONT = "11.5px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
const plot = $("events").getContext("2d");
let colours = {};

function readColours() {
  const style = getComputedStyle(document.documentElement);
  colours = Object.fromEntries(COLOURS.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

// Fits a canvas to its place, in the pixels of the screen.
function prepare(context, width, height) {
  const { canvas } = context, ratio = window.devicePixelRatio || 1;
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.textBaseline = "middle";
}

// Text that ends with dots where it does not fit. All letters are of one width, but for the odd ones.
function paintText(context, text, x, y, room, colour, align = "left") {
  context.font = FONT;
  context.fillStyle = colour;
  context.textAlign = align;
  const most = Math.floor(room / context.measureText("m").width);
  const letters = [...text.slice(0, 400)];
  if (most >= 2) context.fillText(letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : letters.join(""), x, y, room);
  context.textAlign = "left";
}

function paintLanes() {
  prepare(plot, size.width, size.height);
  const top = $("lanes").scrollTop;
  const first = Math.floor(top / LANE), last = Math.min(Math.ceil((top + size.height) / LANE), shown.length);
  for (let index = first; index < last; index += 1) paintName(shown[index], index, index * LANE - top);
  plot.save();
  plot.beginPath();
  plot.rect(size.gutter, 0, size.width - size.gutter, size.height);
  plot.clip();
  paintGrid();
  for (let index = first; index < last; index += 1) paintEvents(shown[index], index * LANE - top);
  for (const [event, colour] of [[state.chosen, colours.text], [state.focused, colours.focus], [state.hovered, colours.text]]) if (event) paintOutline(event, colour, top);
  plot.restore();
}

function paintName(lane, index, y) {
  if (index % 2) {
    plot.fillStyle = colours.panel;
    plot.fillRect(0, y, size.width, LANE);
  }
  const cost = seconds(lane.seconds);
  paintText(plot, cost, size.gutter - 10, y + LANE / 2, 80, colours.faint, "right");
  plot.font = FONT;
  const room = size.gutter - 26 - plot.measureText(cost).width, wide = plot.measureText(`${lane.name.slice(0, 100)} `).width;
  paintText(plot, lane.name, 4, y + LANE / 2, room, colours.text);
  if (lane.place && room - wide > 60) paintText(plot, lane.place.split(/[\\/]/).at(-1), 4 + wide, y + LANE / 2, room - wide, colours.faint);
}

function paintGrid() {
  plot.fillStyle = colours.line;
  for (const { time } of ticks()) plot.fillRect(Math.round(xOf(time)), 0, 1, size.height);
}

function paintEvents(lane, y) {
  const inSight = lane.shown.filter((event) => event.at >= view.from && event.start <= view.to);
  for (const kind of PAINTED) {
    plot.fillStyle = colours[kind];
    plot.beginPath();
    for (const event of inSight) {
      if (event.what !== kind) continue;
      const { x, wide } = extent(event);
      wide > 6 ? plot.roundRect(x, y + (LANE - BAR) / 2, wide - 1, BAR, 2) : plot.rect(x, y + (LANE - BAR) / 2, wide, BAR);
    }
    plot.fill();
  }
  for (const event of inSight) if (extent(event).wide > 24) paintInside(event, y);
}

// Where an event is; nothing is too short to be seen.
function extent(event) {
  const x = xOf(event.start);
  return { x, wide: Math.max(xOf(event.at) - x, 2) };
}

// In a wide bar: why, and below it what of tracing, lowering and compiling took how long.
function paintInside(event, y) {
  const { x, wide } = extent(event);
  let at = x;
  for (const [index, phase] of PHASES.entries()) {
    const part = (event.seconds[index] / event.total) * (wide - 1);
    plot.fillStyle = colours[phase];
    plot.fillRect(at, y + (LANE + BAR) / 2 - 3, part, 3);
    at += part;
  }
  const left = Math.max(x, size.gutter), room = Math.min(x + wide, size.width) - left - 10;
  const text = event.reasons.length ? event.reasons.map(([path, says]) => (path ? `${path}: ${says}` : says)).join("; ") : event.function.name;
  if (room > 40) paintText(plot, text, left + 5, y + LANE / 2 - 1, room, colours["on-bar"]);
}

function paintOutline(event, colour, top) {
  const index = laneOf.get(event);
  if (index === undefined) return;
  const { x, wide } = extent(event);
  plot.strokeStyle = colour;
  plot.lineWidth = 2;
  plot.strokeRect(x - 2, index * LANE - top + (LANE - BAR) / 2 - 2, wide + 3, BAR + 4);
}
