// The data of the page: base64 of gzip of JSON, in two inert script elements.
//
// A run: i id, f file, l line, t time (s), a agent, m model, v version, d verdict, s summary, u unreported calls,
//   o claims left out, p pieces [text, claim or -1, role], c claims, e calls [id, tool, status, args, result]
// A claim: s status, w flagged, k kind (index into summary.kinds, -1), t tool, x text, r reason, n calls,
//   m mismatches [slot, claimed, recorded, path]

async function unpacked(id) {
  const letters = atob(document.getElementById(id).textContent);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// What a search looks through, made when a search first needs it.
function haystack(run) {
  run.h ??= [run.i, run.f, run.a, run.m, run.v, run.s, run.p.map((p) => p[0]).join(""), ...run.c.map((c) => `${c.t || ""} ${c.r} ${c.m.flat().join(" ")}`)].join("\n").toLowerCase();
  return run.h;
}

// Makes ready while nothing else is to do what the first search would wait for.
function makeReady(runs) {
  const soon = window.requestIdleCallback ?? ((call) => setTimeout(call, 1, {timeRemaining: () => 0}));
  let at = 0;
  const some = (idle) => {
    do runs.slice(at, at += 50).forEach(haystack); while (at < runs.length && idle.timeRemaining() > 2);
    if (at < runs.length) soon(some);
  };
  soon(some);
}

function snippet(run) {
  const first = run.c.find((c) => c.w) || run.c[0];
  return first ? first.x : run.s;
}
