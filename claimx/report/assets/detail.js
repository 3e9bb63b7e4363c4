// One run: its reply with the claims marked, why each has its status, where in the ledger it stands, and the calls.

const ROLES = ["", "claim", "trigger", "value", "wrong", "gap"];

function detail(run, close) {
  const head = el("div", {class: "detail-head"},
    el("h3", {tabindex: "-1"}, badge(run.d), " ", el("bdi", {}, run.i)),
    el("button", {type: "button", class: "quiet close", onclick: close, "aria-label": "Close the run"}, "✕"));
  const facts = [run.t === null ? null : `${day(run.t, true)} UTC`, run.a && `agent ${run.a}`, run.m && `model ${run.m}`, run.v && `version ${run.v}`, `${run.f}:${run.l}`].filter(Boolean);
  return el("div", {class: "detail-body"}, head,
    el("p", {class: "dim"}, facts.join(" · ")),
    el("p", {}, el("bdi", {}, run.s)),
    reply(run),
    el("h4", {}, plural(run.c.length + run.o, "claim"), run.o ? `, ${number(run.c.length)} of them here` : null),
    el("ol", {class: "claims"}, run.c.map((c, i) => claimItem(c, i))),
    run.e.length ? el("details", {}, el("summary", {}, plural(run.e.length, "recorded call")), el("div", {class: "calls"}, run.e.map(call))) : null,
    run.u.length ? el("p", {class: "dim"}, `Ran but not reported: ${run.u.join(", ")}`) : null);
}

function reply(run) {
  const box = el("blockquote", {class: "reply", dir: "auto"});
  let before = -1;
  for (const [text, index, role] of run.p) {
    const name = ROLES[role];
    if (name === "gap") {
      box.append(el("span", {class: "gap"}, `[${number(Number(text))} characters left out]`));
      continue;
    }
    if (index < 0) {
      box.append(text);
      before = -1;
      continue;
    }
    const claim = run.c[index];
    const first = index !== before;
    before = index;
    // The first piece of a claim can be reached by keyboard; the others follow the pointer.
    const mark = el("mark", {class: `s-${claim.s} r-${name}`, "data-claim": index, tabindex: first ? "0" : null, role: first ? "button" : null,
      "aria-label": first ? `${word(claim.s)}: ${claim.x}` : null}, text);
    box.append(mark);
  }
  const show = (event) => {
    const mark = event.target.closest?.("mark");
    if (mark && box.contains(mark)) tip(mark, run.c[Number(mark.dataset.claim)]);
    else hideTip();
  };
  box.addEventListener("pointerover", (e) => { if (e.pointerType === "mouse") show(e); });
  box.addEventListener("pointerleave", (e) => { if (e.pointerType === "mouse") hideTip(); });
  box.addEventListener("click", show);
  box.addEventListener("focusin", show);
  box.addEventListener("focusout", hideTip);
  box.addEventListener("keydown", (e) => {
    if (e.key !== "Enter" && e.key !== " ") return;
    const mark = e.target.closest("mark");
    if (!mark) return;
    e.preventDefault();
    box.parentElement.querySelector(`#claim-${mark.dataset.claim}`)?.focus();
  });
  return box;
}

function claimItem(claim, index) {
  return el("li", {id: `claim-${index}`, tabindex: "-1", class: `s-${claim.s}`},
    el("div", {}, badge(claim.s), " ", claim.t ? el("code", {}, claim.t) : null, claim.n.length ? el("span", {class: "dim"}, ` ${claim.n.join(", ")}`) : null),
    el("div", {class: "said", dir: "auto"}, `“${claim.x}”`),
    el("div", {dir: "auto"}, claim.r),
    claim.m.length ? mismatches(claim) : null);
}

function mismatches(claim) {
  const rows = claim.m.map(([slot, claimed, recorded, path]) => el("tr", {}, el("td", {}, slot.toLowerCase()), el("td", {}, el("bdi", {}, claimed)), el("td", {}, el("bdi", {}, recorded)), el("td", {}, el("code", {}, path))));
  return table("Values that differ", ["value", "said", "recorded", "ledger path"], rows, {class: "small"});
}

function call([id, tool, status, args, result]) {
  return el("div", {class: "call"}, el("div", {}, el("code", {}, id), " ", el("strong", {}, tool), " ", el("span", {class: `call-${status}`}, status)),
    el("pre", {tabindex: "0", role: "group", "aria-label": `arguments of ${id}`}, args), el("pre", {tabindex: "0", role: "group", "aria-label": `result of ${id}`}, result));
}

// The hint at a marked claim. It is told to screen readers through the mark's own label and the list below.
let tipBox = null;

function tip(mark, claim) {
  tipBox ??= document.body.appendChild(el("div", {class: "tip", role: "tooltip", id: "tip"}));
  const paths = claim.m.map((m) => m[3]).filter(Boolean);
  tipBox.replaceChildren(badge(claim.s), el("div", {dir: "auto"}, claim.r), paths.length || claim.n.length ? el("div", {}, el("code", {}, (paths.length ? paths : claim.n).join(", "))) : "");
  tipBox.hidden = false;
  const at = mark.getBoundingClientRect();
  const box = tipBox.getBoundingClientRect();
  const left = Math.max(8, Math.min(at.left, innerWidth - box.width - 8));
  const below = at.bottom + box.height + 8 < innerHeight;
  tipBox.style.left = `${left}px`;
  tipBox.style.top = `${below ? at.bottom + 6 : Math.max(8, at.top - box.height - 6)}px`;
}

function hideTip() {
  if (tipBox) tipBox.hidden = true;
}
