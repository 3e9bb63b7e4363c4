// The flagged runs: filters, search, a list that grows as it is scrolled, and the chosen run beside it.

const AT_A_TIME = 100;
const NOTHING = {text: "", verdict: "", tool: "", agent: "", model: "", version: "", kinds: null, fresh: false, from: null, to: null};

function flaggedRuns(data, summary) {
  if (!data.runs.length) {
    const why = data.total ? `${plural(data.total, "run")} flagged; the page was made without them: see receipts/*.parquet.` : summary.runs ? "No run is flagged: every claim that could be judged stands." : "No run was scored.";
    return {node: section("runs", "Flagged runs", el("p", {class: "dim", role: "status"}, why)), filter: () => {}};
  }
  const state = {...NOTHING};
  let found = data.runs;
  let chosen = null;
  let current = null; // its button in the list
  let letters = true;
  const list = el("ul", {class: "list", "aria-label": "Flagged runs"});
  const count = el("p", {class: "dim", role: "status", "aria-live": "polite"});
  const side = el("div", {class: "detail", role: "region", "aria-label": "The chosen run"});
  const end = el("button", {type: "button", class: "quiet end", onclick: () => more(true)}, "Show more runs");
  const chips = el("div", {class: "chips"});
  const nothing = el("p", {class: "dim hint", hidden: true}, "No flagged run fits. ", el("button", {type: "button", class: "link", onclick: clear}, "Clear the filters"));
  const search = el("input", {type: "search", id: "search", placeholder: "Search replies, reasons, ids  ( / )", "aria-label": "Search the flagged runs", oninput: debounced(80, () => { state.text = search.value; apply(); })});
  const selects = Object.fromEntries(["verdict", "tool", "agent", "model", "version"].map((name) => [name, select(name, optionsOf(data, name), (value) => { state[name] = value; apply(); })]));

  function apply() {
    const words = state.text.toLowerCase().split(/\s+/).filter(Boolean);
    found = data.runs.filter((r) =>
      (!state.verdict || r.d === state.verdict) && (!state.agent || r.a === state.agent) && (!state.model || r.m === state.model) && (!state.version || r.v === state.version)
      && (!state.tool || r.c.some((c) => c.w && c.t === state.tool)) && (state.kinds === null || r.c.some((c) => state.kinds.includes(c.k)))
      && (!state.fresh || r.c.some((c) => c.k >= 0 && summary.kinds[c.k].new)) && (state.from === null || (r.t !== null && r.t >= state.from && r.t < state.to))
      && words.every((w) => haystack(r).includes(w)));
    list.replaceChildren();
    current = null;
    more();
    nothing.hidden = found.length > 0;
    const shown = data.total > data.runs.length ? ` (the page holds ${number(data.runs.length)} of ${number(data.total)})` : "";
    count.textContent = `${plural(found.length, "flagged run")}${shown}`;
    for (const [name, box] of Object.entries(selects)) if (box) box.querySelector("select").value = state[name];
    search.value = state.text;
    drawChips();
  }

  function drawChips() {
    const chip = (text, clear) => el("button", {type: "button", class: "chip", onclick: () => { Object.assign(state, clear); apply(); }}, `${text} ✕`);
    const own = [];
    if (state.kinds !== null) {
      const kind = summary.kinds[state.kinds[0]];
      own.push(chip([word(kind.status), kind.tool, wrongIn(kind) || (state.kinds.length === 1 ? kind.verb : "")].filter(Boolean).join(" "), {kinds: null}));
    }
    if (state.fresh) own.push(chip("new kinds", {fresh: false}));
    if (state.from !== null) own.push(chip(`from ${day(state.from, true)}${state.to === Infinity ? "" : ` to ${day(state.to, true)}`}`, {from: null, to: null}));
    if (JSON.stringify(state) !== JSON.stringify(NOTHING)) own.push(el("button", {type: "button", class: "quiet", onclick: clear}, "Clear all"));
    chips.replaceChildren(...own);
  }

  function clear() {
    Object.assign(state, NOTHING);
    apply();
  }

  // Whoever asked for more, or stood where it was asked for, is led to the first of them.
  function more(led = false) {
    const from = list.children.length;
    const stood = document.activeElement === end;
    list.append(...found.slice(from, from + AT_A_TIME).map((run, i) => item(run, from + i)));
    end.hidden = list.children.length >= found.length;
    if (led || (stood && end.hidden)) list.children[from]?.querySelector("button").focus();
  }

  function item(run, at) {
    const statuses = [...new Set(run.c.filter((c) => c.w).map((c) => c.s))];
    const facts = [run.t === null ? null : day(run.t), run.a, run.m, run.v].filter(Boolean).join(" · ");
    const button = el("button", {type: "button", class: "item", "data-at": String(at), "aria-current": run === chosen ? "true" : null, onclick: (e) => open(run, button, true, e.detail === 0)},
      el("span", {class: "line"}, statuses.map(badge), el("bdi", {class: "id"}, run.i)),
      el("span", {class: "said", dir: "auto"}, snippet(run)), el("span", {class: "dim"}, facts));
    if (run === chosen) current = button;
    return el("li", {}, button);
  }

  // Who opens by keyboard is led to what was opened; a pointer leaves the list where the keys go on.
  function open(run, button, told = true, led = false) {
    chosen = run;
    hideTip();
    current?.removeAttribute("aria-current");
    current = button;
    button?.setAttribute("aria-current", "true");
    side.replaceChildren(detail(run, close));
    side.classList.add("open");
    side.scrollTop = 0;
    if (led || narrow()) side.querySelector("h3").focus();
    if (told) history.replaceState(null, "", `#run=${encodeURIComponent(run.i)}`);
  }

  function close() {
    side.classList.remove("open");
    side.replaceChildren(hint());
    history.replaceState(null, "", location.pathname + location.search);
    chosen = null;
    (current || search).focus();
    current?.removeAttribute("aria-current");
    current = null;
  }

  const narrow = () => matchMedia("(max-width: 900px)").matches;
  const hint = () => el("p", {class: "dim hint"}, "Choose a run. Keys: / search, j and k (or ↓ ↑) next and previous, Enter opens, Esc closes.");

  function step(by) {
    const from = list.contains(document.activeElement) ? document.activeElement : current;
    let next = Number(from?.dataset.at ?? -1) + by;
    if (next >= list.children.length - 5 && list.children.length < found.length) more();
    next = Math.max(0, Math.min(list.children.length - 1, next));
    const button = list.children[next]?.querySelector("button");
    button?.focus();
    if (button && !narrow()) open(found[next], button);
  }

  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || (!letters && e.key.length === 1)) return;
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName || "");
    const inList = list.contains(document.activeElement);
    if (e.key === "Escape") {
      hideTip();
      if (typing) document.activeElement.blur();
      else if (side.classList.contains("open")) close();
    } else if (e.key === "/" && !typing) {
      e.preventDefault();
      search.focus();
    } else if (!typing && (e.key === "j" || (inList && e.key === "ArrowDown"))) {
      e.preventDefault();
      step(1);
    } else if (!typing && (e.key === "k" || (inList && e.key === "ArrowUp"))) {
      e.preventDefault();
      step(-1);
    }
  });
  new IntersectionObserver((seen) => { if (seen.some((s) => s.isIntersecting)) more(); }, {rootMargin: "600px"}).observe(end);

  side.replaceChildren(hint());
  apply();
  makeReady(data.runs);
  const wanted = /^#run=(.+)$/.exec(location.hash);
  const run = wanted && data.runs.find((r) => r.i === decoded(wanted[1]));
  if (run) open(run, null);
  else if (!narrow()) open(found[0], list.querySelector("button.item"), false);
  // Letters as keys get in the way of those who steer by voice: they can be switched off.
  const keys = el("button", {type: "button", class: "quiet", "aria-pressed": "true", title: "/ searches, j and k walk", onclick: () => {
    letters = !letters;
    keys.setAttribute("aria-pressed", String(letters));
  }}, "Keys: / j k");
  const bar = el("div", {class: "filters", role: "search", "aria-label": "Filters of the flagged runs"}, search, Object.values(selects), keys);
  const node = section("runs", "Flagged runs", bar, chips, count, el("div", {class: "browser"}, el("div", {class: "list-box"}, list, nothing, end), side));
  node.querySelector("h2").tabIndex = -1;
  node.tabIndex = -1; // the link that skips to it leads there
  const filter = (wanted) => {
    Object.assign(state, NOTHING, wanted);
    apply();
    node.scrollIntoView({behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth"});
    node.querySelector("h2").focus({preventScroll: true});
  };
  return {node, filter};
}

// A link that was mangled on its way, or written by hand, must not keep the page from opening.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function optionsOf(data, name) {
  const values = new Map();
  const add = (v) => { if (v) values.set(v, (values.get(v) || 0) + 1); };
  for (const r of data.runs) {
    if (name === "tool") new Set(r.c.filter((c) => c.w).map((c) => c.t)).forEach(add);
    else add(r[{verdict: "d", agent: "a", model: "m", version: "v"}[name]]);
  }
  return [...values].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

function select(name, options, change) {
  if (!options.length) return null;
  return el("label", {}, el("span", {class: "unseen"}, name), el("select", {"aria-label": name, onchange: (e) => change(e.target.value)},
    el("option", {value: ""}, `any ${name}`), options.map(([v, n]) => el("option", {value: v}, `${v} (${number(n)})`))));
}
