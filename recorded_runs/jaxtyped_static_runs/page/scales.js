// What of the run the timeline shows, and where.

const LANE = 24;
const BAR = 16;
const OVERVIEW = 36;
const AXIS = 22;
const RIGHT = 12;
const SHORTEST_VIEW = 0.0002;

// `gutter`: the width of the names; in pixels.
const size = { width: 0, height: 0, gutter: 0 };
const view = { from: 0, to: wholeTime };

function plotWidth() {
  return Math.max(size.width - size.gutter - RIGHT, 10);
}

function xOf(time) {
  return size.gutter + ((time - view.from) / (view.to - view.from)) * plotWidth();
}

function timeAt(x) {
  return view.from + ((x - size.gutter) / plotWidth()) * (view.to - view.from);
}

function show(from, to) {
  const long = Math.min(Math.max(to - from, Math.min(SHORTEST_VIEW, wholeTime)), wholeTime);
  view.from = Math.min(Math.max(from, 0), wholeTime - long);
  view.to = view.from + long;
  redraw();
}

function zoom(factor, x = size.gutter + plotWidth() / 2) {
  const at = Math.min(Math.max(timeAt(x), view.from), view.to), long = (view.to - view.from) / factor;
  const from = at - ((at - view.from) / (view.to - view.from)) * long;
  show(from, from + long);
}

function moveBy(time) {
  show(view.from + time, view.to + time);
}

function isWhole() {
  return view.to - view.from > wholeTime * 0.9999;
}

// Times in round steps, each with what is written there.
function ticks() {
  const step = roundStep((view.to - view.from) / Math.max(plotWidth() / 90, 2));
  const times = [];
  for (let time = Math.ceil(view.from / step) * step; time <= view.to; time += step) times.push({ time, text: tickText(time, step) });
  return times;
}

// The next larger of 1, 2, 5, 10, 20 ... seconds, or minutes.
function roundStep(least) {
  const unit = least > 50 ? 60 : 1, power = 10 ** Math.floor(Math.log10(least / unit));
  return unit * [1, 2, 5, 10].map((one) => one * power).find((one) => one * unit >= least * 0.9999 && one * unit >= (unit === 60 ? 60 : 0));
}

function tickText(time, step) {
  if (step >= 60) return `${Math.round(time / 60)} min`;
  if (step < 0.01) return `${(time * 1000).toFixed(Math.max(-Math.floor(Math.log10(step * 1000)), 0))} ms`;
  return `${time.toFixed(Math.max(-Math.floor(Math.log10(step) + 1e-9), 0))} s`;
}
