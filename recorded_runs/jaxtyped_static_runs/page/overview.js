// The strip above the lanes: how much of each moment of the whole run went into preparing programs.

const COLUMN = 1;
const overview = $("overview").getContext("2d");
let loads = { matches: null, count: 0, columns: [], long: 1 };

function paintOverview() {
  prepare(overview, size.width, OVERVIEW + AXIS);
  paintText(overview, "Whole run", 4, OVERVIEW / 2, size.gutter - 12, colours.faint);
  overview.fillStyle = colours.panel;
  overview.fillRect(size.gutter, 2, plotWidth(), OVERVIEW - 4);
  paintLoads();
  if (!isWhole()) paintWindow(plotWidth() / wholeTime);
  for (const { time, text } of ticks()) paintTick(xOf(time), text);
}

function paintLoads() {
  const { columns, long } = readLoads(Math.ceil(plotWidth() / COLUMN));
  for (const [index, column] of columns.entries()) {
    // Threads, and processes, prepare side by side.
    const most = Math.max(long * run.processes, sum(column));
    let y = OVERVIEW - 2;
    for (const [at, kind] of PAINTED.toReversed().entries()) {
      const high = column[at] && Math.max((column[at] / most) * (OVERVIEW - 4), 3);
      overview.fillStyle = colours[kind];
      if (high) overview.fillRect(size.gutter + index * COLUMN, y - high, COLUMN, high);
      y -= high;
    }
  }
}

// The seconds of each kind in each column; `long`: what a column stands for.
function readLoads(count) {
  if (loads.matches === state.matches && loads.count === count) return loads;
  const columns = Array.from({ length: count }, () => PAINTED.map(() => 0)), long = wholeTime / count;
  const kinds = PAINTED.toReversed();
  for (const event of events) {
    if (!state.matches[event.index]) continue;
    const kind = kinds.indexOf(event.what), last = Math.min(Math.floor(event.at / long), count - 1);
    for (let index = Math.floor(event.start / long); index <= last; index += 1) {
      columns[index][kind] += Math.max(Math.min(event.at, (index + 1) * long) - Math.max(event.start, index * long), 0);
    }
  }
  loads = { matches: state.matches, count, columns, long };
  return loads;
}

// What the lanes show of the whole run.
function paintWindow(scale) {
  const from = size.gutter + view.from * scale, wide = Math.max((view.to - view.from) * scale, 2);
  overview.globalAlpha = 0.65;
  overview.fillStyle = colours.page;
  overview.fillRect(size.gutter, 0, from - size.gutter, OVERVIEW);
  overview.fillRect(from + wide, 0, size.gutter + plotWidth() - from - wide, OVERVIEW);
  overview.globalAlpha = 1;
  overview.strokeStyle = colours.focus;
  overview.lineWidth = 1.5;
  overview.strokeRect(from, 1, wide, OVERVIEW - 2);
}

function paintTick(x, text) {
  overview.fillStyle = colours.faint;
  overview.font = FONT;
  const wide = overview.measureText(text).width;
  overview.fillText(text, Math.min(Math.max(x - wide / 2, size.gutter), size.width - wide - 2), OVERVIEW + AXIS / 2);
}
