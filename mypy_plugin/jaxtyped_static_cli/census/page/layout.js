// Places for boxes and edges, by dagre: from left to right, functions before the classes that they take.

const HEIGHT = 28;
const MOST_TOGETHER = 60; // boxes in one drawing
const GAP = 18; // between frames
const TITLE = 22; // above each
const measuring = document.createElement("canvas").getContext("2d");

function textWidth(text) {
  measuring.font = "12.5px system-ui, sans-serif";
  return measuring.measureText(text).width;
}

function sizeOf(box) {
  const text = box.node ? box.node.name : `${box.group.name}  ${box.group.count}`;
  return { width: Math.ceil(Math.min(textWidth(text), 260)) + (box.node ? 34 : 30), height: box.node ? HEIGHT : HEIGHT + 10 };
}

// A small program as one drawing; of a large one each module by itself, with the edges between them in the background.
function layout(shown, width, height) {
  const isSmall = shown.boxes.length <= MOST_TOGETHER && shown.boxes.every((box) => box.node);
  return isSmall ? layoutTogether(shown) : layoutMap(shown, width, height);
}

function layoutTogether({ boxes, frames, edges }) {
  const graph = newGraph({ ranksep: 70, nodesep: 16, marginx: 16, marginy: 26 });
  for (const frame of frames) graph.setNode(frame.id, { frame });
  for (const box of boxes) {
    graph.setNode(box.id, { box, ...sizeOf(box) });
    graph.setParent(box.id, box.frame);
  }
  return finish(graph, boxes, edges);
}

function newGraph(options) {
  const graph = new dagre.graphlib.Graph({ compound: true, multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: 9, edgesep: 6, ...options });
  graph.setDefaultEdgeLabel(() => ({}));
  return graph;
}

function finish(graph, boxes, edges) {
  edges.forEach((edge, index) => graph.setEdge(edge.from, edge.to, { edge }, `${index}`));
  for (const [from, to] of inColumns(boxes, edges)) graph.setEdge(from, to, { weight: 0 }, "column");
  dagre.layout(graph);
  const nodes = graph.nodes().map((id) => graph.node(id));
  const { width, height } = graph.graph();
  return {
    boxes: nodes.filter((one) => one.box),
    frames: nodes.filter((one) => one.frame),
    edges: graph.edges().map((id) => graph.edge(id)).filter((one) => one.edge),
    width, height,
  };
}

// Invisible edges that put boxes without any edge into several columns: one would be very long.
function inColumns(boxes, edges) {
  const connected = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const alone = Map.groupBy(boxes.filter((box) => !connected.has(box.id)), (box) => box.frame);
  return [...alone.values()].flatMap((group) => {
    const rows = Math.ceil(group.length / Math.max(1, Math.round(Math.sqrt(group.length / 4))));
    return group.slice(rows).map((box, index) => [group[index].id, box.id]);
  });
}

function layoutMap({ boxes, frames, edges }, viewWidth, viewHeight) {
  const members = Map.groupBy(boxes, (box) => box.frame);
  const frameOf = new Map(boxes.map((box) => [box.id, box.frame]));
  const isInner = (edge) => frameOf.get(edge.from) === frameOf.get(edge.to) && !edge.from.startsWith("module:") && !edge.to.startsWith("module:");
  const inner = Map.groupBy(edges.filter(isInner), (edge) => frameOf.get(edge.from));
  const parts = frames.map((frame) => layoutFrame(frame, members.get(frame.id), inner.get(frame.id) ?? []));
  const { width, height } = pack(parts, viewWidth, viewHeight);
  for (const part of parts) part.placed.boxes.forEach((one) => { one.x += part.x; one.y += part.y; });
  for (const part of parts) part.placed.edges.forEach((one) => { one.points = one.points.map(({ x, y }) => ({ x: x + part.x, y: y + part.y })); });
  const placed = new Map(parts.flatMap((part) => part.placed.boxes).map((one) => [one.box.id, one]));
  return {
    boxes: [...placed.values()],
    frames: parts.map(({ frame, x, y, placed: { width, height } }) => ({ frame, x: x + width / 2, y: y + height / 2, width, height })),
    edges: [...parts.flatMap((part) => part.placed.edges), ...edges.filter((edge) => !isInner(edge)).map((edge) => across(edge, placed))],
    width, height,
  };
}

function layoutFrame(frame, boxes, edges) {
  const placed = layoutInside(boxes, edges);
  placed.width = Math.max(placed.width, textWidth(frame.title.split("/").at(-1)) + 24);
  return { frame, placed };
}

function layoutInside(boxes, edges) {
  if (!edges.length) return inGrid(boxes);
  const graph = newGraph({ ranksep: 40, marginx: 12, marginy: 10 });
  for (const box of boxes) graph.setNode(box.id, { box, ...sizeOf(box) });
  return finish(graph, boxes, edges);
}

function inGrid(boxes) {
  const sizes = boxes.map((box) => ({ box, ...sizeOf(box) }));
  const cell = { width: Math.max(...sizes.map((one) => one.width)) + 10, height: Math.max(...sizes.map((one) => one.height)) + 8 };
  const columns = Math.max(1, Math.round(Math.sqrt((boxes.length * cell.height * 1.6) / cell.width)));
  const placed = sizes.map((one, index) => ({
    ...one,
    x: 8 + ((index % columns) + 0.5) * cell.width,
    y: 6 + (Math.floor(index / columns) + 0.5) * cell.height,
  }));
  const rows = Math.ceil(boxes.length / columns);
  return { boxes: placed, edges: [], width: Math.min(columns, boxes.length) * cell.width + 16, height: rows * cell.height + 12 };
}

// Puts frames side by side in rows, the high ones first: in the proportions of the window, or in its width if that
// would be too small to read.
function pack(parts, viewWidth, viewHeight) {
  const area = parts.reduce((sum, { placed }) => sum + (placed.width + GAP) * (placed.height + GAP + TITLE), 0);
  const widest = Math.max(...parts.map(({ placed }) => placed.width));
  const inProportion = Math.sqrt((area * viewWidth) / viewHeight) * 1.08;
  const limit = Math.max(Math.min(inProportion, viewWidth / SMALLEST_READABLE - 2 * GAP), widest);
  let x = GAP, y = TITLE, row = 0, width = 0;
  for (const part of [...parts].sort((a, b) => b.placed.height - a.placed.height)) {
    if (x > GAP && x + part.placed.width > limit + GAP) {
      y += row + GAP + TITLE;
      x = GAP;
      row = 0;
    }
    Object.assign(part, { x, y });
    x += part.placed.width + GAP;
    row = Math.max(row, part.placed.height);
    width = Math.max(width, x);
  }
  return { width, height: y + row + GAP };
}

// An edge from frame to frame.
function across(edge, placed) {
  const from = placed.get(edge.from), to = placed.get(edge.to);
  const side = Math.sign(to.x - from.x) || 1;
  const start = { x: from.x + (side * from.width) / 2, y: from.y };
  const end = { x: to.x - (side * to.width) / 2, y: to.y };
  const bend = { x: start.x + (end.x - start.x) * 0.3, y: end.y };
  return { edge, points: [start, bend, end], isFar: true };
}
