// @ts-check
// What the keys mean, for the dialog that ? opens.

/** @import { Pane } from "./pane.js" */

import { h } from "./element.js";

const KEYS = [
  ["1 … 9", "allow a topic, or no longer allow it"], ["0 1, 0 a …", "from the tenth topic on"], [".", "find a topic by its name"],
  ["Alt + key", "forbid a topic"], ["Enter", "save and next; agree with another person’s label"], ["S", "skip for now"],
  ["X", "nothing fits"], ["T", "new topic from this text"], ["F", "adopt the strongest free topic"], ["N", "note"], ["E", "normal, half or double weight"],
  ["B", "codebook: what topics mean"], ["← →", "back and forward"], ["↑ ↓", "through the list"],
  ["Space", "unfold a long text"], ["Ctrl + Z", "undo"], ["Ctrl + Shift + Z", "redo"], ["/", "search"],
  ["A", "label all texts of the list"], ["G", "assign all texts of the list to a person"], ["H", "say why: highlight the selected words"], ["L", "texts like this one"], ["D", "what the last refit changed"], ["Y", "accept the suggestion on the card"], ["M", "next order of the queue"], ["Q", "saved searches"], ["?", "this help"],
];

/** @param {Pane} pane */
export function showKeyHelp({ dialog, view }) {
  dialog.show("Keys", drawKeyHelp(view.obeys), { keys: { Enter: () => dialog.close() } });
}

/** @param {boolean} obeys whether labels bind the model */
function drawKeyHelp(obeys) {
  return [
    h("dl", { class: "keylist" }, KEYS.map(([keys, what]) => [h("dt", {}, keys.split(/ (?=[+…])|(?<=[+…]) /).map((key) =>
      /^[+…]$/.test(key) ? ` ${key} ` : h("kbd", {}, key))), h("dd", {}, what)])),
    h("p", { class: "fine" }, "In the search: words, “phrases”, ~patterns, OR, − to exclude a part, filters such as is:unlabelled, and columns of the file; ? beside the field lists them."),
    h("p", { class: "fine" }, obeys
      ? "A labelled text uses only the topics you allow. The model follows every label and adapts the other texts to it."
      : "For the model of this project labels are hints, not rules. A label shows a share where a topic of the model matches it."),
  ];
}
