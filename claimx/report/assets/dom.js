// Making elements and text for people. Every text goes in as a text node: markup in a reply stays letters.

const SIGNS = {confirmed: "✔", unverified: "?", unmatched: "·", misquoted: "≠", tool_failed: "✘", never_ran: "✘", fabricated: "✘", unchecked: "·", ok: "✔", flagged: "!"};
const WORDS = {tool_failed: "tool failed", never_ran: "never ran"};

function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "class") node.className = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "vars") for (const [name, v] of Object.entries(value)) node.style.setProperty(`--${name}`, v);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((c) => c !== null && c !== undefined && c !== false));
  return node;
}

const number = (n) => n.toLocaleString("en-US");
const word = (status) => WORDS[status] || status;

function percent(rate) {
  if (rate === null || rate === undefined) return "–";
  const p = rate * 100;
  return `${p === 0 || p >= 9.95 ? p.toFixed(p === 0 || p === 100 ? 0 : 1) : p >= 0.1 ? p.toFixed(2) : p.toFixed(3)}%`;
}

function plural(n, one, many = `${one}s`) {
  return `${number(n)} ${n === 1 ? one : many}`;
}

function day(seconds, withTime = false) {
  const text = new Date(seconds * 1000).toISOString();
  return withTime ? text.slice(0, 16).replace("T", " ") : text.slice(0, 10);
}

const seconds = (iso) => Date.parse(iso) / 1000;

function badge(status) {
  return el("span", {class: `badge s-${status}`}, el("span", {"aria-hidden": "true"}, `${SIGNS[status] || ""} `), word(status));
}

// A rate with its interval: the dot is the rate, the bar where it may lie. Who does not see the bar is told its ends.
function interval(rate, most) {
  if (!rate || rate.rate === null) return el("span", {class: "dim"}, "–");
  const at = (x) => `${Math.min(100, (100 * x) / (most || 1))}%`;
  return el("span", {class: "interval", title: `${number(rate.count)} of ${number(rate.of)}; 95 % interval ${percent(rate.low)} to ${percent(rate.high)}`},
    el("span", {class: "figure"}, percent(rate.rate), el("span", {class: "unseen"}, ` (${percent(rate.low)} to ${percent(rate.high)})`)),
    el("span", {class: "track", "aria-hidden": "true", vars: {low: at(rate.low), high: at(rate.high), at: at(rate.rate)}}, el("i"), el("b")));
}

function table(caption, heads, rows, props = {}) {
  return el("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
    el("table", props,
      el("caption", {class: "unseen"}, caption),
      el("thead", {}, el("tr", {}, heads.map((h) => el("th", {scope: "col", class: h.number ? "n" : null}, h.text ?? h)))),
      el("tbody", {}, rows)));
}

function section(id, title, ...children) {
  return el("section", {id, "aria-labelledby": `${id}-title`}, el("h2", {id: `${id}-title`}, title), children);
}

function debounced(wait, call) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...args), wait);
  };
}
