// The census as a graph: nodes are functions and classes, edges say what takes, holds, calls or stands above what.

const BOTH = "both";
const ORDER = { broken: 0, unproven: 1, sound: 2 };

function readGraph(census) {
  const nodes = new Map();
  for (const one of census.functions) nodes.set(one.id, functionNode(one));
  for (const one of census.classes) nodes.set(one.id, classNode(one));
  const edges = new Map();
  const connect = (from, to, role, kind) => {
    if (from !== to && nodes.has(from) && nodes.has(to)) edges.set([from, to, role, kind].join("\0"), { from, to, role, kind });
  };
  for (const one of census.functions) {
    for (const parameter of one.parameters) for (const held of parameter.classes) connect(one.id, held, parameter.role, "takes");
    for (const call of one.calls) if (call.caller) connect(call.caller, one.id, "", "calls");
  }
  for (const one of census.classes) {
    for (const field of one.fields) for (const held of field.classes) connect(one.id, held, field.role, "holds");
    for (const use of one.uses) {
      if (use.kind === "argument" || use.kind === "parameter") connect(use.owner, one.id, use.role, "takes");
      if (use.kind === "subclass") connect(use.owner, one.id, use.role, "subclass");
    }
  }
  const graph = { nodes, edges: [...edges.values()], near: new Map([...nodes.keys()].map((id) => [id, new Set()])) };
  for (const { from, to } of graph.edges) {
    graph.near.get(from).add(to);
    graph.near.get(to).add(from);
  }
  return graph;
}

function functionNode(one) {
  const reasons = one.parameters.flatMap((p) => p.reasons.map((r) => ({ ...r, path: p.name + r.path })));
  const named = (role) => one.parameters.filter((p) => p.role === role).map((p) => p.name).join(", ") || "nothing";
  const says = one.unread ? `not read: ${one.unread}` : `static ${named("static")}; dynamic ${named("dynamic")}`;
  return { ...one, isFunction: true, kind: "function", role: "function", says, reasons };
}

function classNode(one) {
  const role = one.roles.length > 1 ? BOTH : one.roles[0];
  return { ...one, isFunction: false, kind: "class", role, says: role === BOTH ? "static and dynamic" : role };
}

// The odd ones first: broken, then those with both roles, then by name.
function byOddness(a, b) {
  return ORDER[a.verdict] - ORDER[b.verdict] || (b.role === BOTH) - (a.role === BOTH) || a.name.localeCompare(b.name);
}

function reasonText(reason, subject) {
  const where = reason.path ? `${reason.path.startsWith(".") ? subject : ""}${reason.path}: ` : "";
  return `${reason.code}: ${where}${reason.problem}${reason.advice ? `; ${reason.advice}` : ""}`;
}
