// The most frequent false claims, grouped by kind: status, tool, verb and the values that differ.

function kindName(kind) {
  const slots = kind.slots.length ? ` (${kind.slots.join(", ").toLowerCase()})` : "";
  return `${kind.verb}${slots}`;
}

function byKind(summary, filter) {
  const kinds = summary.kinds;
  if (!kinds.length) return section("kinds", "False claims by kind", el("p", {class: "dim"}, "No claim was found false."));
  const hasBaseline = Boolean(summary.baseline);
  const groups = ["never_ran", "tool_failed", "misquoted"].map((status) => {
    const own = kinds.map((k, i) => [k, i]).filter(([k]) => k.status === status);
    if (!own.length) return null;
    const list = el("ol", {class: "kinds"});
    const draw = (from) => list.append(...own.slice(from, from + 10).map(([k, i]) => kindItem(k, i, hasBaseline, filter)));
    draw(0);
    const more = own.length > 10 ? el("button", {type: "button", class: "quiet", onclick: () => {
      draw(list.children.length);
      more.hidden = list.children.length >= own.length;
    }}, `More of ${number(own.length)} kinds`) : null;
    return el("div", {}, el("h3", {}, badge(status), ` ${number(sum(own.map(([k]) => k.count)))} times, ${plural(own.length, "kind")}`), list, more);
  });
  return section("kinds", "False claims by kind", since(summary, filter), el("div", {class: "columns"}, groups));
}

function since(summary, filter) {
  const base = summary.baseline;
  if (!base) return null;
  const gone = base.gone_kinds.length ? `, ${plural(base.gone_kinds.length, "kind")} gone` : "";
  return el("p", {}, el("strong", {}, base.new_kinds ? `${plural(base.new_kinds, "kind")} new` : "No new kinds"), ` since ${base.folder} (${plural(base.runs, "run")})${gone}. `,
    base.new_kinds ? el("button", {type: "button", class: "quiet", onclick: () => filter({fresh: true})}, "Show runs with new kinds") : null);
}

function kindItem(kind, index, hasBaseline, filter) {
  const said = kind.phrasings[0];
  return el("li", {}, el("button", {type: "button", class: "kind", onclick: () => filter({kind: index})},
    el("span", {class: "count"}, number(kind.count), el("span", {class: "unseen"}, " times")),
    el("span", {class: "what"}, el("code", {}, kind.tool || "no tool"), ` ${kindName(kind)} `, kind.new ? el("span", {class: "new"}, "new") : null,
      hasBaseline && !kind.new ? el("span", {class: "dim"}, ` ${number(kind.before)} before`) : null),
    el("span", {class: "said"}, `“${said.text}”`, kind.phrasings.length > 1 ? el("span", {class: "dim"}, ` and other wordings`) : null)));
}
