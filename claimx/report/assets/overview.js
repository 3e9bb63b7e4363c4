// Headline figures, alarms, and the tables by tool, agent, model and version.

const HEADLINES = [
  ["fabricated", "fabricated", "runs claim something that never ran or failed", "run claims something that never ran or failed"],
  ["misquoted", "misquoted", "runs tell a value or an outcome wrong", "run tells a value or an outcome wrong"],
  ["unverified", "unverified", "runs claim what is still open", "run claims what is still open"],
  ["unchecked", "unchecked", "runs could not be judged", "run could not be judged"],
];

function header(summary, title) {
  const [first, last] = summary.time ? [summary.time.first.slice(0, 10), summary.time.last.slice(0, 10)] : [null, null];
  const span = first === last ? first : `${first} to ${last}`;
  const picked = Object.entries(summary.selection).filter(([, v]) => v !== null && v !== 1).map(([k, v]) => `${k} ${v}`).join(", ");
  const archive = summary.archive.length > 3 ? `${summary.archive.slice(0, 3).join(", ")} and ${number(summary.archive.length - 3)} more files` : summary.archive.join(", ");
  return el("header", {},
    el("h1", {}, title),
    el("p", {class: "dim"}, [plural(summary.runs, "run"), span, archive, picked || null, `claimx ${summary.claimx}`].filter(Boolean).join(" · ")),
    el("button", {type: "button", class: "quiet", id: "theme", "aria-label": "Switch between light and dark"}, "◐"));
}

function alarms(summary) {
  if (!summary.alarms?.length) return null;
  return el("div", {class: "alarm", role: "alert"}, el("strong", {}, "Spike: "), summary.alarms.map((a, i) =>
    el("span", {}, i ? "; " : "", el("code", {}, a.tool), ` ${number(a.false)} of ${number(a.claims)} claims false (${percent(a.rate)}), usually ${percent(a.usual)}`)));
}

// Earlier scores that the alarm went without, and what helps.
function priorScores(summary) {
  const out = summary.history?.left_out ?? [];
  if (!out.length) return null;
  const read = summary.history.read.length;
  return el("details", {class: "missing"}, el("summary", {}, `${plural(out.length, "earlier score")} could not be read: the alarm compares with ${read ? plural(read, "other") : "the times within this archive"}`),
    el("ul", {}, out.map((x) => el("li", {}, el("code", {}, x.file), ` ${x.reason}: ${x.remedy}`))));
}

function cards(summary, filter) {
  const moved = summary.baseline?.rates || {};
  const all = HEADLINES.map(([name, status, many, one]) => {
    const rate = summary.rates[name];
    const open = ["fabricated", "misquoted"].includes(name) && rate.count > 0;
    const change = moved[name]?.moved;
    return el("li", {}, el(open ? "button" : "div", {class: `card s-${status}`, type: open ? "button" : null, onclick: open ? () => filter({verdict: name}) : null},
      el("span", {class: "name"}, badge(status)),
      el("span", {class: "big"}, percent(rate.rate)),
      el("span", {class: "dim"}, rate.rate === null ? "no runs" : `${percent(rate.low)} to ${percent(rate.high)}`),
      el("span", {}, plural(rate.count, one, many)),
      change ? el("span", {class: `moved ${change}`}, change === "no" ? `no clear change from ${percent(moved[name].before)}` : `${change === "up" ? "▲ up" : "▼ down"} from ${percent(moved[name].before)}`) : null,
      open ? el("span", {class: "unseen"}, ": show these runs") : null));
  });
  const claims = summary.claims;
  const false_ = summary.rates.false_claims;
  all.push(el("li", {}, el("div", {class: "card"},
    el("span", {class: "name"}, "claims"),
    el("span", {class: "big"}, number(claims.total)),
    el("span", {class: "dim"}, claims.total ? `${percent(false_.rate)} false (${percent(false_.low)} to ${percent(false_.high)})` : "none in these runs"),
    el("span", {class: "split"}, ["confirmed", "unverified", "unmatched", "misquoted", "tool_failed", "never_ran"].filter((s) => claims[s]).map((s) => el("span", {class: `s-${s}`}, el("span", {"aria-hidden": "true"}, `${SIGNS[s]} `), `${number(claims[s])} ${word(s)}`))))));
  return section("headline", "At a glance", el("ul", {class: "cards"}, all), leftOut(summary));
}

const WHY = {record: "faulty", file: "broken off", conflict: "with the id of another run", crash: "on which scoring failed", duplicate: "given twice"};

function leftOut(summary) {
  const rejected = Object.entries(summary.rejected).map(([k, n]) => `${number(n)} ${WHY[k] || k}`);
  const skipped = Object.entries(summary.skipped).map(([k, n]) => `${number(n)} by ${k.replace("no_time", "having no time")}`);
  const parts = [];
  if (rejected.length) parts.push(`Not scored: ${rejected.join(", ")} (see rejected.jsonl).`);
  if (skipped.length) parts.push(`Not chosen: ${skipped.join(", ")}.`);
  if (summary.notes) parts.push(`${plural(summary.notes, "note")} on odd records that cost no run (see notes.jsonl).`);
  if (summary.changed?.length) parts.push(`${plural(summary.changed_files, "file")} changed meanwhile: ${summary.changed.slice(0, 3).map((c) => `${c.file} ${c.what}`).join("; ")}${summary.changed_files > 3 ? "; and others (see notes.jsonl)" : ""}.`);
  const rare = Object.entries(summary.left_out || {}).map(([k, n]) => `${number(n)} ${k}`);
  if (rare.length) parts.push(`Too rare to be listed here: ${rare.join(", ")}.`);
  return parts.length ? el("p", {class: "dim"}, parts.join(" ")) : null;
}

// The entries of an object, the weightiest first: by itself it puts names that are whole numbers before all others.
function ordered(object, weight) {
  return Object.entries(object).sort((a, b) => weight(b[1]) - weight(a[1]));
}

function byTool(summary, filter) {
  const tools = ordered(summary.tools, (t) => sum(["never_ran", "tool_failed", "misquoted"].map((s) => t[s] || 0)));
  if (!tools.length) return null;
  const most = Math.max(...tools.map(([, t]) => Math.max(t.rates.fabricated.rate, t.rates.misquoted.rate))) * 1.3 || 1;
  const rows = tools.map(([name, t]) => el("tr", {},
    el("th", {scope: "row"}, el("button", {type: "button", class: "link", onclick: () => filter({tool: name})}, name)),
    el("td", {class: "n"}, number(t.claims)),
    el("td", {}, interval(t.rates.fabricated, most)),
    el("td", {}, interval(t.rates.misquoted, most)),
    el("td", {class: "n"}, number(t.confirmed || 0))));
  return section("tools", "By tool", folded(table("Claims by tool", ["tool", {text: "claims", number: 1}, "fabricated", "misquoted", {text: "confirmed", number: 1}], rows.slice(0, 400)), rows.length));
}

function byFacet(summary, filter) {
  const parts = ["agent", "model", "version"].filter((f) => Object.keys(summary[`${f}s`]).length).map((facet) => {
    const values = ordered(summary[`${facet}s`], (v) => v.runs);
    // Versions stand in their own order: 1.9 before 1.10.
    if (facet === "version") values.sort((a, b) => a[0].localeCompare(b[0], "en", {numeric: true}));
    const most = Math.max(...values.map(([, v]) => Math.max(v.rates.fabricated.rate, v.rates.misquoted.rate))) * 1.3 || 1;
    const rows = values.map(([name, v]) => el("tr", {},
      el("th", {scope: "row"}, el("button", {type: "button", class: "link", onclick: () => filter({[facet]: name})}, name)),
      el("td", {class: "n"}, number(v.runs)),
      el("td", {}, interval(v.rates.fabricated, most)),
      el("td", {}, interval(v.rates.misquoted, most))));
    return el("div", {}, el("h3", {}, `By ${facet}`), folded(table(`Rates by ${facet}`, [facet, {text: "runs", number: 1}, "fabricated", "misquoted"], rows.slice(0, 400)), rows.length));
  });
  return parts.length ? section("facets", "By agent, model and version", el("div", {class: "columns"}, parts)) : null;
}

// A long table shows its first rows until asked for all.
function folded(part, count) {
  if (count <= 12) return part;
  part.classList.add("folded");
  const more = el("button", {type: "button", class: "quiet", "aria-expanded": "false", onclick: () => {
    const open = part.classList.toggle("folded");
    more.textContent = open ? `Show all ${number(count)}` : "Show fewer";
    more.setAttribute("aria-expanded", String(!open));
  }}, `Show all ${number(count)}`);
  return el("div", {}, part, more);
}
