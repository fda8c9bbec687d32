// Elements and words. Text of the run gets into the page as text only.

const $ = (id) => document.getElementById(id);

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  const { data = {}, style = {}, ...rest } = properties;
  for (const [key, value] of Object.entries(rest)) key.startsWith("aria-") || key === "role" ? made.setAttribute(key, value) : (made[key] = value);
  Object.assign(made.dataset, data);
  for (const [key, value] of Object.entries(style)) made.style.setProperty(key, value);
  made.append(...children.filter((child) => child !== ""));
  return made;
}

// Seconds for people: `108 s`, `5.3 s`, `0.04 s`, `3.2 ms`.
function seconds(value) {
  if (value >= 100) return `${Math.round(value).toLocaleString("en")} s`;
  if (value >= 1) return `${value.toFixed(1)} s`;
  if (value >= 0.01 || value <= 0) return `${value.toFixed(2)} s`;
  return `${(value * 1000).toFixed(1)} ms`;
}

// A time of a run, exact enough for what takes so long.
function moment(time, long) {
  return `${time.toFixed(long >= 10 ? 1 : long >= 0.1 ? 2 : 4)} s`;
}

function counted(count, what) {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}

function share(part, whole) {
  if (!whole) return "all";
  return part > 0 && part / whole < 0.005 ? "< 1 %" : `${Math.round((100 * part) / whole)} %`;
}

function sum(values) {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

// Groups with the same key, in the order of their first members.
function grouped(items, key) {
  const groups = new Map();
  for (const item of items) {
    const own = key(item);
    groups.has(own) ? groups.get(own).push(item) : groups.set(own, [item]);
  }
  return groups;
}
