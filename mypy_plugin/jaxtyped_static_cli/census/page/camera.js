// Which part of the graph the window shows, and how large.

const SMALLEST_READABLE = 0.62;

function makeCamera(view, scene) {
  let scale = 1, x = 0, y = 0, size = { width: 1, height: 1 };
  const apply = () => scene.setAttribute("transform", `translate(${x},${y}) scale(${scale})`);
  const camera = {
    get scale() { return scale; },
    // Shows all of it, or its beginning where all would be too small to read.
    fit(whole = size, smallest = 0.05) {
      size = whole;
      const { width, height } = view.getBoundingClientRect();
      const fitting = Math.min(width / size.width, (height - 70) / size.height, 1.25);
      scale = Math.max(fitting, smallest);
      x = Math.max((width - size.width * scale) / 2, 10);
      y = Math.max((height - 20 - size.height * scale) / 2, 46);
      apply();
    },
    begin(whole) { camera.fit(whole, SMALLEST_READABLE); },
    zoom(factor, at) {
      const box = view.getBoundingClientRect();
      const px = at ? at.x - box.left : box.width / 2, py = at ? at.y - box.top : box.height / 2;
      const next = Math.min(4, Math.max(0.05, scale * factor));
      x = px - ((px - x) * next) / scale;
      y = py - ((py - y) * next) / scale;
      scale = next;
      apply();
    },
    pan(dx, dy) { x += dx; y += dy; apply(); },
    // Moves as little as needed to show an element.
    reveal(element) {
      const box = view.getBoundingClientRect(), one = element.getBoundingClientRect(), margin = 40;
      const shift = (start, end, low, high) => (start < low + margin ? low + margin - start : end > high - margin ? high - margin - end : 0);
      camera.pan(shift(one.left, one.right, box.left, box.right), shift(one.top, one.bottom, box.top, box.bottom));
    },
  };
  listen(view, camera);
  return camera;
}

function listen(view, camera) {
  let from = null;
  view.addEventListener("pointerdown", (event) => {
    if (event.button === 0 && !event.target.closest(".node, [data-close]")) from = { x: event.clientX, y: event.clientY };
  });
  window.addEventListener("pointermove", (event) => {
    if (!from) return;
    view.classList.add("dragged");
    camera.pan(event.clientX - from.x, event.clientY - from.y);
    from = { x: event.clientX, y: event.clientY };
  });
  window.addEventListener("pointerup", () => { from = null; view.classList.remove("dragged"); });
  view.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) camera.zoom(Math.exp(-event.deltaY / 200), { x: event.clientX, y: event.clientY });
    else camera.pan(-event.deltaX, -event.deltaY);
  }, { passive: false });
}
