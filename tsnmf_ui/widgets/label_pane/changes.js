// The model follows: a quiet line after each refit, and on demand everything it changed.

// The quiet line: a fit under way, or what the last one did.
function lineParts(view, fit, { cancel, diff }) {
  if (fit && fit.phase === "running") {
    const left = fit.seconds_left > 1 ? `, about ${Math.ceil(fit.seconds_left)} s left` : "";
    return [h("span", { class: "spin", "aria-hidden": "true" }),
      h("span", {}, view.refit ? "Refitting" : "Fitting for the first time", fit.share > 0.01 ? ` ${percent(fit.share)}${left}` : "…"),
      h("button", { type: "button", "data-k": "cancel", on: { click: cancel } }, "Cancel")];
  }
  if (fit && fit.phase === "failed") return [h("span", { class: "bad" }, fit.error || "The fit failed.")];
  if (!view.refit) return [h("span", {}, fit && fit.phase === "waiting" ? "The first fit starts…" : "Not fitted yet.")];
  return [...changeParts(view.refit), h("span", {}, `refitted ${ago(view.refit.finished)} in ${view.refit.seconds.toFixed(2)} s`),
    view.refit.change ? h("button", { type: "button", "data-k": "diff", title: "What the last refit changed (D)", on: { click: diff } }, "See changes") : null];
}

function changeParts({ change, adherence, labelled }) {
  const parts = [];
  if (change && change.topic && (change.gained.length || change.lost.length)) {
    const words = (list) => h("b", {}, list.join(", "));
    parts.push(h("span", {}, "Last refit: ", change.topic, change.gained.length ? [" gained ", words(change.gained)] : "",
      change.gained.length && change.lost.length ? " and" : "", change.lost.length ? [" lost ", words(change.lost)] : "", " among its first 10 words"));
  } else if (change) parts.push(h("span", {}, "Last refit: all topics kept their first 10 words"));
  if (change) parts.push(h("span", {}, `${plural(change.moved, "text")} moved`), steadyPart(change));
  if (labelled && adherence !== null) {
    const all = adherence >= 0.9999;
    parts.push(h("span", { class: all ? "good" : "bad", title: "Labelled texts that use only the topics their label permits" }, `${all ? "100" : (adherence * 100).toFixed(1)} % of labels hold`));
  } else if (labelled) parts.push(h("span", {}, "labels are not binding to this model"));
  return parts.filter(Boolean);
}

// How steady it was elsewhere: in a few words for the line, in full for the sheet.
const isKnown = (change) => change && change.untouched !== null && change.untouched !== undefined;
const steadyPart = (change) => isKnown(change)
  ? h("span", { title: `Topics without new labels kept ${percent(change.untouched)} of their first 20 words, on average` }, `other topics ${percent(change.untouched)} the same`)
  : null;

function quietPart({ change }) {
  if (!isKnown(change)) return null;
  return h("span", { title: "On average over the topics that no new label speaks of" },
    `topics without new labels kept ${percent(change.untouched)} of their first 20 words`);
}

class Changes {
  constructor(pane) {
    this.pane = pane;
  }

  async open() {
    const { pane } = this;
    if (!pane.view.refit) return pane.say("There is no fit yet.");
    const query = new URLSearchParams({ project: pane.data.project, run: pane.view.refit.run });
    const answer = await pane.link.get("api/changes", query);
    if (answer.error !== undefined) return pane.refuse(answer.error);
    this.draw(answer);
  }

  draw(told) {
    const { pane } = this;
    const topics = [...told.topics].sort((a, b) => b.touched - a.touched || a.stability - b.stability);
    const who = told.others ? ` and ${plural(told.others, "act")} of others` : "";
    pane.sheet.show("What the last refit changed", [
      h("p", { class: "lead" }, changeParts({ ...pane.view.refit, change: null }), quietPart(pane.view.refit), h("span", {}, `it followed ${plural(told.acts, "act")} of yours${who}`)),
      h("div", { class: "changed" }, h("table", {},
        h("thead", {}, h("tr", {}, ["Topic", "Words in", "Words out", `First ${told.first} words kept`].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, topics.map((topic) => this.row(topic))))),
      told.added.length ? h("p", {}, `New: ${told.added.join(", ")}.`) : null,
      told.removed.length ? h("p", {}, `Gone: ${told.removed.join(", ")}.`) : null,
      h("p", {}, told.moved ? `${plural(told.moved, "text")} moved to another main topic: ${told.flows.map((flow) => `${flow.from} → ${flow.to} (${number(flow.texts)})`).join(", ")}.` : "No text moved to another main topic."),
      h("div", { class: "acts" },
        told.documents ? h("button", { type: "button", "data-k": "moved", on: { click: () => this.select(told.documents) } }, "Open the moved texts") : null,
        told.acts ? h("button", { type: "button", class: "save", "data-k": "unrefit", on: { click: () => this.undo(told.since) } }, told.acts === 1 ? "Undo the act behind it" : `Undo the ${told.acts} acts behind it`) : null),
    ], { wide: true, keys: { d: () => pane.sheet.close() } });
  }

  row(topic) {
    return h("tr", { class: topic.touched ? "touched" : null },
      h("th", { scope: "row", style: { "--c": topic.colour || "var(--free)" } }, h("b", {}), topic.name, topic.touched ? h("small", {}, "you spoke of it") : null),
      h("td", { class: "in" }, topic.gained.join(", ") || "–"), h("td", { class: "out" }, topic.lost.join(", ") || "–"), h("td", {}, topic.kept.join(" of ")));
  }

  select(documents) {
    const { pane } = this;
    pane.sheet.close();
    pane.link.enqueue(() => pane.choose(documents));
  }

  undo(since) {
    const { pane } = this;
    pane.sheet.close();
    pane.link.enqueue(async () => pane.take(await pane.send({ kind: "undo", since })));
  }
}
