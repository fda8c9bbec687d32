// The graph by keyboard: one box has the focus, and arrows move to the nearest one in their direction.

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// `places`: of the boxes. Returns the identifier of one.
function neighbour(places, from, [dx, dy]) {
  const start = places.find((one) => one.box.id === from);
  let best = null, nearest = Infinity;
  for (const { box, x, y } of places) {
    const ahead = (x - start.x) * dx + (y - start.y) * dy;
    const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    const distance = ahead + 2.5 * aside;
    if (ahead >= 2 && distance < nearest) [best, nearest] = [box.id, distance];
  }
  return best;
}

// Arrow keys in a list of buttons.
function listKeys(list, event) {
  const buttons = [...list.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1, PageDown: at + 15, PageUp: at - 15 }[event.key];
  if (to === undefined) return false;
  const button = buttons[Math.min(Math.max(to, 0), buttons.length - 1)];
  buttons[at]?.setAttribute("tabindex", -1);
  button?.setAttribute("tabindex", 0);
  button?.focus();
  return true;
}
