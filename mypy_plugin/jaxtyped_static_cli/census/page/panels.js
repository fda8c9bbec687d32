// What is written beside the graph: the list of functions and classes, and the details of one.

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  const { data = {}, ...rest } = properties;
  for (const [key, value] of Object.entries(rest)) key.startsWith("aria-") ? made.setAttribute(key, value) : (made[key] = value);
  Object.assign(made.dataset, data);
  made.append(...children);
  return made;
}

const SYMBOLS = { broken: "✗", unproven: "?", sound: "✓" };

function listEntry(node) {
  const file = node.path.split("/").at(-1);
  return element(
    "li", {},
    element(
      "button", { type: "button", tabIndex: -1, title: `${node.path}:${node.line}`, data: { id: node.id } },
      element("span", { className: node.verdict, "aria-label": node.verdict }, SYMBOLS[node.verdict]),
      element("span", { className: node.isFunction ? "" : node.role }, node.isFunction ? `${node.name}()` : node.name),
      element("span", { className: "where" }, file),
    ),
  );
}

function details(graph, node) {
  const parts = [
    element("h2", {}, node.isFunction ? `${node.name}()` : node.name),
    element("p", { className: "where" }, `${node.path}:${node.line}`),
    element("p", {}, element("b", { className: node.verdict }, `${SYMBOLS[node.verdict]} ${node.verdict}`), ", ", roleText(node)),
  ];
  if (node.reasons.length) parts.push(section("Why", node.reasons.map((one) => [element("span", { className: one.certain ? "broken" : "unproven" }, reasonText(one, node.name))])));
  parts.push(...(node.isFunction ? functionParts(graph, node) : classParts(graph, node)));
  return parts;
}

function roleText(node) {
  if (node.isFunction) return node.unread ? `not read: ${node.unread}` : `compiled by ${node.compiler}`;
  const declared = node.declared ? `, declared a ${node.declared}` : "";
  return element("span", { className: node.role }, node.says + declared);
}

function functionParts(graph, node) {
  const parameters = node.parameters.map((one) => [
    element("span", { className: one.role }, one.role), ` ${one.name}: `, ...typed(graph, one), one.donated ? " (donated)" : "",
  ]);
  const calls = node.calls.map((call) => {
    const passed = call.static.map((one) => `${one.name}=${one.value}`).join(", ");
    const scope = graph.nodes.has(call.caller) ? link(graph.nodes.get(call.caller)) : call.scope;
    return [element("span", { className: "where" }, `${call.path}:${call.line} `), scope, passed ? element("code", {}, ` ${passed}`) : ""];
  });
  const mentions = node.mentions.map((one) => [element("span", { className: "where" }, `${one.path}:${one.line} `), one.scope]);
  return [section("Parameters", parameters), section("Called", calls), section("Used without a call", mentions)].filter(Boolean);
}

function classParts(graph, node) {
  const actual = node.uses.filter((use) => use.kind !== "declaration");
  const uses = (actual.length ? actual : node.uses).map((use) => [element("span", { className: use.role }, use.role), ...useText(graph, use)]);
  return [section("Used as", uses), node.fields.length ? element("h3", {}, "Holds") : "", fieldList(graph, node, [node.id])].filter(Boolean);
}

function useText(graph, use) {
  const owner = graph.nodes.has(use.owner) ? link(graph.nodes.get(use.owner)) : use.owner.split("::").at(-1);
  if (use.kind === "declaration") return [", as declared"];
  if (use.kind === "subclass") return [", as a kind of ", owner];
  const where = use.path ? element("span", { className: "where" }, ` ${use.path}:${use.line}`) : "";
  return [use.kind === "argument" ? ` passed for ${use.name} of ` : ` ${use.kind} ${use.name} of `, owner, where];
}

// The tree of why: fields, and those of the classes that they hold.
function fieldList(graph, node, above) {
  const rows = node.fields.map((field) => {
    const inside = node.reasons.filter((one) => one.path === `.${field.name}` || one.path.startsWith(`.${field.name}.`) || one.path.startsWith(`.${field.name}[`));
    const codes = [...new Set([...field.reasons, ...inside].map((one) => `${one.certain ? "✗" : "?"} ${one.code}`))].join(" ");
    const below = field.classes.map((id) => graph.nodes.get(id)).filter((held) => held && !above.includes(held.id) && above.length < 6);
    return element(
      "li", {}, field.role ? element("span", { className: field.role }, `${field.role} `) : "", `${field.name}: `, ...typed(graph, field),
      codes ? element("b", { className: codes.includes("✗") ? "broken" : "unproven" }, ` ${codes}`) : "",
      ...below.map((held) => fieldList(graph, held, [...above, held.id])),
    );
  });
  return element("ul", {}, ...rows);
}

function typed(graph, { type, classes }) {
  const known = classes.map((id) => graph.nodes.get(id)).filter(Boolean);
  return [element("code", {}, type), ...known.flatMap((node) => [" ", link(node, type === node.name ? "→" : `→ ${node.name}`)])];
}

function link(node, text = node.isFunction ? `${node.name}()` : node.name) {
  return element("button", { type: "button", className: "link", title: node.id, "aria-label": `Show ${node.name}`, data: { id: node.id } }, text);
}

function section(title, rows) {
  if (!rows.length) return "";
  return element("div", {}, element("h3", {}, `${title} (${rows.length})`), element("ul", {}, ...rows.map((row) => element("li", {}, ...row))));
}
