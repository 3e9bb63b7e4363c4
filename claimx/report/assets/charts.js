// Rates by tool over time, drawn by uPlot; the same figures stand below as a table.

const LINES = ["--line-1", "--line-2", "--line-3", "--line-4", "--line-5", "--line-6"];
const ENOUGH = 5; // claims without which a point would be mere chance
const BUCKETS = {hour: 3600, day: 86400, week: 604800, month: 2592000}; // seconds
const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3], [12, 4], [4, 2]];

function overTime(summary, filter) {
  if (!summary.runs) return null;
  if (!summary.time) return section("time", "Over time", el("p", {class: "dim"}, "No run has a time: give runs a field “time”, or say where it stands with --map time=PATH."));
  const time = summary.time;
  const starts = time.starts.map(seconds);
  const ranked = Object.entries(time.tools).map(([name, t]) => [name, t, sum(t.fabricated) + sum(t.misquoted)])
    .sort((a, b) => b[2] - a[2])
    .filter(([, t, wrong]) => wrong > 0 && t.claims.some((n) => n >= ENOUGH)).slice(0, LINES.length); // others would have no point
  const all = totals(time);
  if (!all.claims.some((n) => n >= ENOUGH)) return section("time", "Over time", el("p", {class: "dim"}, `No ${time.bucket} has ${ENOUGH} claims or more: too few for a rate.`));
  const only = ranked.length === 1 && Object.keys(time.tools).length === 1; // one tool is all tools: one line
  const lines = only ? ranked.map(([n, t]) => [n, t]) : [["all tools", all], ...ranked.map(([n, t]) => [n, t])];
  const parts = ["fabricated", "misquoted"].map((what) => chart(what, starts, lines, time.bucket, filter));
  const more = el("details", {}, el("summary", {}, "The same as a table"), timeTable(time, all, ranked, filter));
  return section("time", `Over time, by ${time.bucket}`, el("div", {class: "columns wide"}, parts), more);
}

const sum = (list) => list.reduce((a, b) => a + b, 0);

function totals(time) {
  const out = {claims: time.starts.map(() => 0), fabricated: time.starts.map(() => 0), misquoted: time.starts.map(() => 0)};
  for (const t of Object.values(time.tools)) for (const key of Object.keys(out)) t[key].forEach((n, i) => { out[key][i] += n; });
  return out;
}

function chart(what, starts, series, bucket, filter) {
  const rates = series.map(([, t]) => t.claims.map((n, i) => (n >= ENOUGH ? t[what][i] / n : null)));
  const box = el("div", {class: "chart"});
  const figure = el("figure", {}, el("figcaption", {}, badge(what === "fabricated" ? "fabricated" : "misquoted"), ` share of each tool's claims, where it has ${ENOUGH} or more`), box);
  // From the first point to the last: one run with a wrong clock must not press all others into a corner.
  const drawn = starts.map((_, i) => i).filter((i) => rates.some((r) => r[i] !== null));
  const [first, last] = [drawn[0] ?? 0, drawn.at(-1) ?? starts.length - 1];
  const span = first === last ? [starts[first] - BUCKETS[bucket] / 2, starts[first] + BUCKETS[bucket] / 2] : [starts[first], starts[last]];
  const latest = (u) => u.setLegend({idx: last}, false);
  const draw = () => {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const axis = {stroke: colour("--dim"), grid: {stroke: colour("--grid"), width: 1}, ticks: {stroke: colour("--grid"), width: 1}};
    const options = {
      width: Math.max(260, box.clientWidth || 600),
      height: 260,
      tzDate: (ts) => uPlot.tzDate(new Date(ts * 1e3), "Etc/UTC"),
      // A single point stands in the middle of its bucket; the library would give it years to its right.
      scales: {x: {range: () => span}, y: {range: (u, low, high) => [0, Math.min(1, Math.max(0.01, high * 1.15))]}},
      padding: [8, 28, 0, 0],
      axes: [{...axis, splits: (u, _, low, high) => spaced(starts, low, high, u.bbox.width / devicePixelRatio), values: (u, ticks) => dated(ticks, bucket)}, {...axis, size: 56, values: (u, ticks) => ticks.map((v) => `${+(v * 100).toFixed(2)}%`)}],
      series: [
        {label: bucket, value: (u, v) => (v === null || v === undefined ? "–" : day(v, bucket === "hour"))},
        ...series.map(([name], i) => ({
          label: name,
          stroke: i ? colour(LINES[i - 1]) : colour("--ink"),
          width: i ? 1.75 : 2.5,
          dash: i ? DASHES[i - 1] : [],
          spanGaps: true,
          points: {show: starts.length < 60, size: first === last ? 9 : 5},
          value: (u, v) => percent(v),
        })),
      ],
      // The legend tells the latest figures until a pointer asks for others.
      hooks: {ready: [latest], setLegend: [(u) => { if (u.legend.idx === null || u.legend.idx === undefined) latest(u); }], draw: [(u) => box.setAttribute("data-span", `${day(u.scales.x.min, true)} to ${day(u.scales.x.max, true)}`)], init: [(u) => u.over.addEventListener("click", () => {
        const i = u.cursor.idx;
        if (i !== null && i !== undefined) filter({verdict: what, from: starts[i], to: starts[i + 1] ?? Infinity});
      })]},
    };
    box.replaceChildren();
    const plot = new uPlot(options, [starts, ...rates], box);
    const canvas = plot.root.querySelector("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", inWords(what, series, rates, starts, bucket));
    return plot;
  };
  let plot = null;
  const again = debounced(60, () => { if (box.clientWidth) plot = draw(); });
  new ResizeObserver(() => {
    if (!plot) plot = box.clientWidth ? draw() : null;
    else plot.setSize({width: Math.max(260, box.clientWidth), height: 260});
  }).observe(box);
  document.addEventListener("themechange", again);
  return figure;
}

// What the lines show, for who cannot see them: where each begins, ends, and is at its lowest and highest.
function inWords(what, series, rates, starts, bucket) {
  const lines = series.map(([name], i) => {
    const points = rates[i].map((rate, at) => [rate, day(starts[at], bucket === "hour")]).filter(([rate]) => rate !== null);
    if (!points.length) return `${name}: too few claims`;
    const ranked = [...points].sort((a, b) => a[0] - b[0]);
    const told = ([rate, at]) => `${percent(rate)} on ${at}`;
    return points.length === 1 ? `${name}: ${told(points[0])}` : `${name}: from ${told(points[0])} to ${told(points.at(-1))}, lowest ${told(ranked[0])}, highest ${told(ranked.at(-1))}`;
  });
  return `Lines of the share of ${what} claims, by ${bucket}. ${lines.join(". ")}. The table below has every ${bucket}.`;
}

// The starts of buckets that stand far enough apart to be written below the axis.
function spaced(starts, low, high, width) {
  const at = (x) => (high > low ? ((x - low) / (high - low)) * width : width / 2);
  const kept = [];
  for (const x of starts) if (x >= low && x <= high && (!kept.length || at(x) - at(kept.at(-1)) >= 72)) kept.push(x);
  return kept;
}

// Day and month in words, for which no reader has to know whose order they are in; above it what changes seldom.
function dated(ticks, bucket) {
  const said = (x, form) => new Intl.DateTimeFormat("en-GB", {timeZone: "UTC", ...form}).format(new Date(x * 1e3));
  const [often, seldom] = {
    hour: [{hour: "2-digit", minute: "2-digit"}, {day: "numeric", month: "short", year: "numeric"}],
    month: [{month: "short"}, {year: "numeric"}],
  }[bucket] ?? [{day: "numeric", month: "short"}, {year: "numeric"}];
  let before = "";
  return ticks.map((x) => {
    const rest = said(x, seldom);
    const line = rest === before ? "" : `\n${rest}`;
    before = rest;
    return said(x, often) + line;
  });
}

// Each figure leads to its runs, as a point of a chart does for a pointer.
function timeTable(time, all, ranked, filter) {
  const figure = (name, t, what, i) => {
    const text = `${t[what][i]} of ${t.claims[i]}`;
    return t[what][i] ? el("button", {type: "button", class: "link", onclick: () => filter({verdict: what, tool: t === all ? "" : name, from: seconds(time.starts[i]), to: time.starts[i + 1] ? seconds(time.starts[i + 1]) : Infinity})}, text) : text;
  };
  const names = [["all tools", all], ...ranked];
  const heads = [time.bucket, ...names.flatMap(([n]) => [`${n}: fabricated`, `${n}: misquoted`])];
  const rows = time.starts.map((start, i) => el("tr", {}, el("th", {scope: "row"}, start.slice(0, time.bucket === "hour" ? 16 : 10).replace("T", " ")),
    names.flatMap(([name, t]) => ["fabricated", "misquoted"].map((k) => el("td", {class: "n"}, t.claims[i] ? figure(name, t, k, i) : "–")))));
  return table("Rates over time", heads, rows);
}
