// Which nodes are drawn one by one, and which modules as one box, so that the drawing stays readable.

const MOST = 200; // boxes that are drawn, before modules are closed
const MOST_AROUND = 50; // of one node

// The folders and modules of a program, as a tree. A folder with one member is joined with it.
function readTree(nodes) {
  const root = { key: "", name: "", folders: new Map(), nodes: [] };
  for (const node of nodes) {
    let at = root;
    for (const part of node.path.split("/")) {
      if (!at.folders.has(part)) at.folders.set(part, { key: at.key ? `${at.key}/${part}` : part, name: part, folders: new Map(), nodes: [] });
      at = at.folders.get(part);
    }
    at.nodes.push(node);
  }
  return joined(root);
}

function joined(group) {
  let { key, name, folders, nodes } = group;
  while (folders.size === 1 && nodes.length === 0) {
    const [only] = folders.values();
    ({ key, folders, nodes } = only);
    name = name ? `${name}/${only.name}` : only.name;
  }
  const groups = [...folders.values()].map(joined).sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  const count = nodes.length + groups.reduce((sum, one) => sum + one.count, 0);
  return { key, name, groups, nodes, count, size: nodes.length + groups.length };
}

// Opens groups level by level while there is room, and those that the reader opened; not those that he closed.
function openGroups(root, chosen) {
  const open = new Set([root]);
  let shown = root.size;
  let level = root.groups;
  while (level.length) {
    const room = (groups) => groups.reduce((sum, one) => sum + one.size - 1, shown) <= MOST;
    const folders = level.filter((one) => one.groups.length);
    const fitting = new Set(room(level) ? level : room(folders) ? folders : []);
    const opened = level.filter((one) => chosen.get(one.key) ?? fitting.has(one));
    for (const one of opened) open.add(one);
    shown = opened.reduce((sum, one) => sum + one.size - 1, shown);
    level = opened.flatMap((one) => one.groups);
  }
  return open;
}

// The boxes to draw, and the edges between them: those of closed groups are counted together.
function visible(graph, nodes, chosen) {
  const root = readTree(nodes);
  const open = openGroups(root, chosen);
  const boxes = [], frames = [], boxOf = new Map();
  const visit = (group) => {
    const id = `frame:${group.key}`;
    const closed = group.groups.filter((inner) => !open.has(inner));
    if (group.nodes.length + closed.length) frames.push({ id, group, title: titleOf(group, root) });
    for (const node of group.nodes) {
      boxes.push({ id: node.id, node, frame: id });
      boxOf.set(node.id, node.id);
    }
    for (const inner of closed) {
      const box = { id: `module:${inner.key}`, group: inner, members: membersOf(inner), frame: id };
      boxes.push(box);
      for (const node of box.members) boxOf.set(node.id, box.id);
    }
    for (const inner of group.groups) if (open.has(inner)) visit(inner);
  };
  visit(root);
  return { boxes, frames, edges: edgesBetween(graph, boxOf) };
}

// The path below what all have in common.
function titleOf(group, root) {
  return group.key.startsWith(`${root.key}/`) ? group.key.slice(root.key.length + 1) : group.key;
}

function membersOf(group) {
  return [...group.nodes, ...group.groups.flatMap(membersOf)];
}

function edgesBetween(graph, boxOf) {
  const edges = new Map();
  for (const edge of graph.edges) {
    const from = boxOf.get(edge.from), to = boxOf.get(edge.to);
    if (!from || !to || from === to) continue;
    const isOne = from === edge.from && to === edge.to;
    const key = isOne ? [from, to, edge.role, edge.kind].join("\0") : [from, to].join("\0");
    const known = edges.get(key);
    if (known) known.count += 1;
    else edges.set(key, { from, to, role: isOne ? edge.role : "", kind: isOne ? edge.kind : "several", count: 1 });
  }
  return [...edges.values()];
}

// A node, and what is one or two edges away.
function around(graph, id) {
  const near = within(graph, id, 2);
  return near.length <= MOST_AROUND ? near : within(graph, id, 1);
}

function within(graph, id, steps) {
  let found = new Set([id]), edge = [id];
  for (let step = 0; step < steps; step++) {
    edge = edge.flatMap((one) => [...graph.near.get(one)]).filter((one) => !found.has(one));
    edge.forEach((one) => found.add(one));
  }
  return [...found].map((one) => graph.nodes.get(one));
}
