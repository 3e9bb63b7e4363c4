// The most frequent false claims, put together by tool and by what differs; the verbs they are told with stand beside it.

const wrongIn = (group) => group.slots.join(", ").toLowerCase();

function grouped(kinds) {
  const found = new Map();
  kinds.forEach((kind, i) => {
    const key = JSON.stringify([kind.status, kind.tool, kind.slots, kind.tool ? "" : kind.verb]);
    if (!found.has(key)) found.set(key, {status: kind.status, tool: kind.tool, slots: kind.slots, said: kind.phrasings[0].text, wordings: 0, verbs: [], kinds: [], count: 0, before: 0, fresh: 0});
    const group = found.get(key);
    if (!group.verbs.includes(kind.verb)) group.verbs.push(kind.verb);
    group.kinds.push(i);
    group.count += kind.count;
    group.before += kind.before || 0;
    group.fresh += kind.new ? 1 : 0;
    group.wordings += kind.phrasings.length;
  });
  return [...found.values()].sort((a, b) => b.count - a.count);
}

function byKind(summary, filter) {
  const kinds = summary.kinds;
  if (!kinds.length) return section("kinds", "False claims by kind", el("p", {class: "dim"}, "No claim was found false."));
  const hasBaseline = Boolean(summary.baseline);
  const all = grouped(kinds);
  const columns = ["never_ran", "tool_failed", "misquoted"].map((status) => {
    const own = all.filter((g) => g.status === status);
    if (!own.length) return null;
    const list = el("ol", {class: "kinds"});
    const draw = (from) => list.append(...own.slice(from, from + 10).map((g) => kindItem(g, hasBaseline, filter)));
    draw(0);
    const more = own.length > 10 ? el("button", {type: "button", class: "quiet", onclick: () => {
      draw(list.children.length);
      more.hidden = list.children.length >= own.length;
    }}, `More of ${number(own.length)} kinds`) : null;
    return el("div", {}, el("h3", {}, badge(status), ` ${plural(sum(own.map((g) => g.count)), "time")}, ${plural(own.length, "kind")}`), list, more);
  });
  return section("kinds", "False claims by kind", since(summary, filter), el("div", {class: "columns"}, columns));
}

function since(summary, filter) {
  const base = summary.baseline;
  if (!base) return null;
  const gone = base.gone_kinds.length ? `, ${plural(base.gone_kinds.length, "kind")} gone` : "";
  return el("p", {}, el("strong", {}, base.new_kinds ? `${plural(base.new_kinds, "kind")} new` : "No new kinds"), ` since ${base.folder} (${plural(base.runs, "run")})${gone}. `,
    base.new_kinds ? el("button", {type: "button", class: "quiet", onclick: () => filter({fresh: true})}, "Show runs with new kinds") : null);
}

function kindItem(group, hasBaseline, filter) {
  const verbs = group.verbs.slice(0, 4).join(", ") + (group.verbs.length > 4 ? ` and ${number(group.verbs.length - 4)} more verbs` : "");
  const fresh = group.fresh === group.kinds.length ? "new" : `${number(group.fresh)} new`;
  return el("li", {}, el("button", {type: "button", class: "kind", onclick: () => filter({kinds: group.kinds})},
    el("span", {class: "count"}, number(group.count), el("span", {class: "unseen"}, " times")),
    el("span", {class: "what"}, el("code", {}, group.tool || "no tool"), group.slots.length ? el("strong", {class: "differs"}, wrongIn(group)) : null, el("span", {class: "verbs"}, verbs), group.fresh ? el("span", {class: "new"}, fresh) : null,
      hasBaseline && !group.fresh ? el("span", {class: "dim"}, `${number(group.before)} before`) : null),
    el("span", {class: "said"}, `“${group.said}”`, group.wordings > 1 ? el("span", {class: "dim"}, ` and other wordings`) : null)));
}
