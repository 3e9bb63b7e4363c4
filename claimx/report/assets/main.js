// Putting the page together: figures first, then the runs.

function theme() {
  const dark = () => document.documentElement.dataset.theme === "dark" || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  document.getElementById("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    document.dispatchEvent(new Event("themechange"));
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => document.dispatchEvent(new Event("themechange")));
}

async function start() {
  const page = document.getElementById("page");
  try {
    const summary = await unpacked("summary");
    const runs = el("section", {id: "runs"}, el("p", {class: "loading"}, "Reading the flagged runs…"));
    let filter = () => {};
    const go = (wanted) => filter(wanted);
    page.replaceChildren(header(summary, document.title), el("main", {}, alarms(summary), priorScores(summary), cards(summary, go), overTime(summary, go), byKind(summary, go), byTool(summary, go), byFacet(summary, go), runs));
    theme();
    await new Promise((done) => setTimeout(done));
    const data = await unpacked("flagged");
    const browser = flaggedRuns(data, summary);
    runs.replaceWith(browser.node);
    filter = browser.filter;
    document.documentElement.dataset.ready = "yes";
  } catch (error) {
    page.append(el("p", {class: "alarm", role: "alert"}, `The report could not be opened (${error}). A browser of 2023 or later is needed; the same figures stand in summary.json.`));
  }
}

start();
