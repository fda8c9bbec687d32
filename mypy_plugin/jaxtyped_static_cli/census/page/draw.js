// Draws the graph as SVG.

const MARKS = { broken: "✗", unproven: "?", sound: "" };

function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function draw(scene, placed) {
  scene.replaceChildren(
    ...placed.frames.map(drawFrame),
    ...placed.edges.map(drawEdge),
    ...placed.boxes.map((one) => (one.box.node ? drawNode(one) : drawModule(one))),
  );
}

// The elements of boxes, and of the edges at each box.
function elementsIn(scene) {
  const edges = new Map();
  for (const edge of scene.querySelectorAll(".edge")) {
    for (const id of [edge.dataset.from, edge.dataset.to]) edges.set(id, [...(edges.get(id) ?? []), edge]);
  }
  return { boxes: new Map([...scene.querySelectorAll(".node")].map((box) => [box.dataset.id, box])), edges };
}

function drawFrame({ frame, x, y, width, height }) {
  const left = x - width / 2, top = y - height / 2;
  const title = svg("text", { x: left + 8, y: top - 5 }, frame.title ? `▾ ${fittingTitle(frame.title, width)}` : "");
  return svg("g", { class: "frame", "data-close": frame.group.key }, svg("rect", { x: left, y: top, width, height, rx: 8 }), title);
}

// The end of a path, as much as there is room for; at least its last part.
function fittingTitle(title, width) {
  const parts = title.split("/");
  const ends = parts.map((_, index) => (index ? "…/" : "") + parts.slice(index).join("/"));
  return ends.find((end) => textWidth(end) <= width - 24) ?? parts.at(-1);
}

function drawEdge({ edge, points, isFar }) {
  const [first, ...rest] = points;
  let path = `M${first.x},${first.y}`;
  for (let i = 0; i < rest.length - 1; i++) {
    const end = i === rest.length - 2 ? rest[i + 1] : { x: (rest[i].x + rest[i + 1].x) / 2, y: (rest[i].y + rest[i + 1].y) / 2 };
    path += `Q${rest[i].x},${rest[i].y} ${end.x},${end.y}`;
  }
  const arrow = rest.at(-1);
  path += `M${arrow.x - 6},${arrow.y - 4}L${arrow.x},${arrow.y}L${arrow.x - 6},${arrow.y + 4}`;
  const width = 1.3 + Math.log2(edge.count);
  return svg("path", { class: `edge ${edge.kind} ${edge.role} ${isFar ? "far" : ""}`, d: path, "stroke-width": width, "data-from": edge.from, "data-to": edge.to });
}

function drawNode({ box, x, y, width, height }) {
  const { node } = box;
  const label = `${node.name}, ${node.kind}, ${node.says}, ${node.verdict}`;
  const mark = svg("tspan", { class: `mark ${node.verdict}` }, MARKS[node.verdict] ? `${MARKS[node.verdict]} ` : "");
  return svg(
    "g",
    { class: `node ${node.kind} is-${node.role} is-${node.verdict}`, transform: `translate(${x - width / 2},${y - height / 2})`, "data-id": node.id, role: "button", tabindex: -1, "aria-label": label },
    svg("rect", { class: "shape", width, height, rx: node.isFunction ? height / 2 : 5 }),
    svg("text", { x: width / 2, y: height / 2 + 4.5, "text-anchor": "middle" }, mark, shortened(node.name, width - 26)),
  );
}

// A closed module: its name, how many it has, and a bar of the roles among them.
function drawModule({ box, x, y, width, height }) {
  const counts = Map.groupBy(box.members, (node) => node.role);
  const broken = box.members.filter((node) => node.verdict === "broken").length;
  const label = `${box.group.name}, closed, ${box.members.length} functions and classes${broken ? `, ${broken} broken` : ""}`;
  const bars = [];
  let start = 8;
  for (const role of ["static", "dynamic", "both", "function"]) {
    const length = ((width - 16) * (counts.get(role)?.length ?? 0)) / box.members.length;
    bars.push(svg("rect", { class: `bar ${role}`, x: start, y: height - 10, width: length, height: 4 }));
    start += length;
  }
  const mark = svg("tspan", { class: "mark broken" }, broken ? "✗ " : "");
  return svg(
    "g",
    { class: `node is-module ${broken ? "is-broken" : ""}`, transform: `translate(${x - width / 2},${y - height / 2})`, "data-id": box.id, "data-open": box.group.key, role: "button", tabindex: -1, "aria-expanded": "false", "aria-label": label },
    svg("rect", { class: "shape", width, height, rx: 5 }),
    svg("text", { x: width / 2, y: 18, "text-anchor": "middle" }, mark, `${shortened(box.group.name, width - 44)}  ${box.group.count}`),
    ...bars,
  );
}

function shortened(text, width) {
  if (textWidth(text) <= width + 14) return text;
  let end = text.length;
  while (end > 4 && textWidth(text.slice(0, end)) > width) end -= 1;
  return `${text.slice(0, end)}…`;
}
