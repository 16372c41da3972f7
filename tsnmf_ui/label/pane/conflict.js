// @ts-check
// Two people label one text at once: nothing is replaced unless it is confirmed.

/** @import { Conflict, Draft, Label } from "./types.js" */
/** @import { Pane } from "./pane.js" */

import { labelInWords } from "./card.js";
import { h } from "./element.js";

/**
 * Show their label beside the label that was to be saved; a sentence, if theirs was taken back again.
 * @param {Pane} pane @param {Conflict & { draft: Draft }} answer
 */
export function takeConflict(pane, { conflict, view, draft }) {
  const theirs = view.card && view.card.label;
  pane.takeAnswer(view, { keepCard: true });
  if (theirs) showConflict(pane, conflict, theirs, draft);
  else pane.showNotice(conflict);
}

/** @param {Pane} pane @param {string} sentence @param {Label} theirs @param {Draft} mine */
function showConflict(pane, sentence, theirs, mine) {
  const { dialog, view } = pane;
  const replace = () => {
    dialog.close();
    const { permitted, forbidden, confidence, nothing_fits, note } = mine;
    pane.jobs.enqueue(() => pane.labels.save({ permitted, forbidden, confidence, nothing_fits, note }, { seenEvent: theirs.event, spoken: true }));
  };
  dialog.show("Two different labels", [
    h("p", { class: "lead" }, sentence),
    h("p", { class: "label-state saved" }, `${theirs.author}: `, labelInWords(view, theirs)),
    h("p", { class: "label-state saved" }, "You: ", labelInWords(view, mine)),
    h("div", { class: "actions" },
      h("button", { type: "button", autofocus: true, "data-k": "theirs", on: { click: () => dialog.close() } }, "Keep theirs"),
      h("button", { type: "button", class: "save", "data-k": "mine", on: { click: replace } }, "Replace with mine")),
  ]);
}
