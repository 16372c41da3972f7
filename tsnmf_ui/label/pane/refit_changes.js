// @ts-check
// On demand, everything the last refit changed, and the way back.

/** @import { Refit, RefitChanges, TopicChange } from "./types.js" */
/** @import { Pane } from "./pane.js" */

import { h } from "./element.js";
import { number, plural } from "./format.js";
import { fittedToParts, steadySentence } from "./status_line.js";

export class RefitChangesDialog {
  /** @param {Pane} pane */
  constructor(pane) {
    this.pane = pane;
  }

  async open() {
    const { pane } = this;
    if (!pane.view.refit) return pane.showNotice("There is no fit yet.");
    const query = new URLSearchParams({ project: String(pane.data.project), run: String(pane.view.refit.run) });
    const answer = await pane.server.get("api/changes", query);
    if (answer.error !== undefined) return pane.showError(answer.error);
    this.draw(answer, pane.view.refit);
  }

  /** @param {RefitChanges} changes @param {Refit} refit */
  draw(changes, refit) {
    const { pane } = this;
    const topics = [...changes.topics].sort((a, b) => Number(b.touched) - Number(a.touched) || a.stability - b.stability);
    const who = changes.others ? ` and ${plural(changes.others, "event")} of others` : "";
    pane.dialog.show("What the last refit changed", [
      h("p", { class: "lead" }, fittedToParts(refit), steadySentence(refit), h("span", {}, `after ${plural(changes.yours, "event")} of yours${who}`)),
      h("div", { class: "changed" }, h("table", {},
        h("thead", {}, h("tr", {}, ["Topic", "Words added", "Words removed", `Top ${changes.first} words kept`].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, topics.map((topic) => this.row(topic))))),
      changes.added.length ? h("p", {}, `New: ${changes.added.join(", ")}.`) : null,
      changes.removed.length ? h("p", {}, `Gone: ${changes.removed.join(", ")}.`) : null,
      h("p", {}, changes.moved ? `${plural(changes.moved, "text")} moved to another main topic: ${changes.flows.map((flow) => `${flow.from} → ${flow.to} (${number(flow.texts)})`).join(", ")}.` : "No text moved to another main topic."),
      h("div", { class: "actions" },
        changes.documents ? h("button", { type: "button", "data-k": "moved", on: { click: () => this.select(changes.documents) } }, "Open the moved texts") : null,
        changes.yours ? h("button", { type: "button", class: "save", "data-k": "unrefit", on: { click: () => this.undo(changes.since) } }, changes.yours === 1 ? "Undo this event" : `Undo these ${changes.yours} events`) : null),
    ], { wide: true, keys: { d: () => pane.dialog.close() } });
  }

  /** @param {TopicChange} topic */
  row(topic) {
    return h("tr", { class: topic.touched ? "touched" : null },
      h("th", { scope: "row", style: { "--c": topic.colour || "var(--free)" } }, h("b", {}), topic.name, topic.touched ? h("small", {}, "new labels") : null),
      h("td", { class: "in" }, topic.gained.join(", ") || "–"), h("td", { class: "out" }, topic.lost.join(", ") || "–"), h("td", {}, topic.kept[1] ? topic.kept.join(" of ") : "had no words"));
  }

  /** @param {string} documents key of a selection */
  select(documents) {
    const { pane } = this;
    pane.dialog.close();
    pane.jobs.enqueue(() => pane.navigation.openSelection(documents));
  }

  /** @param {number} since revision after which everything is taken back */
  undo(since) {
    const { pane } = this;
    pane.dialog.close();
    pane.jobs.enqueue(async () => pane.takeAnswer(await pane.send({ kind: "undo", since })));
  }
}
