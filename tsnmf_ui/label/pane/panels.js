// @ts-check
// Drawing every panel of the pane from its view, with focus and scroll kept.

/** @import { View } from "./types.js" */
/** @import { Pane } from "./pane.js" */

import { drawEarlier, drawFold, drawLabel, drawMeta, drawSayWhy, drawShares, drawSimilar, drawText } from "./card.js";
import { h } from "./element.js";
import { number } from "./format.js";
import { formSlot, mountForm, openForm } from "./forms.js";
import { drawModes, drawProgress } from "./header.js";
import { Highlights, drawHighlights } from "./highlight.js";
import { showKeyHelp } from "./key_help.js";
import { drawList } from "./list.js";
import { patch } from "./patch.js";
import { drawProposal } from "./proposal.js";
import { drawSaved } from "./saved_searches.js";
import { fitParts } from "./status_line.js";
import { drawTopics } from "./topics.js";

const ROWS_IN_SIGHT = 6; // at the top of the list; it is scrolled only if it has to be: asking for more costs a layout

/** @param {Pane} pane */
export function drawPane(pane) {
  pane.element.classList.toggle("read-only", Boolean(pane.data.reader));
  keepingFocus(pane, () => {
    drawCardAndTopics(pane);
    drawListAndHeader(pane);
  });
}

/**
 * Only what a reader waits for: the text, and the topics to choose from.
 * @param {Pane} pane
 */
export function drawNextCard(pane) {
  keepingFocus(pane, () => drawCardAndTopics(pane));
}

/** @param {Pane} pane */
function drawCardAndTopics(pane) {
  pane.undrawnSince = 0;
  const { queued } = pane;
  const actions = {
    permit: queued((topic) => pane.labels.permit(topic)),
    forbid: queued((topic) => pane.labels.forbid(topic)),
    confidence: queued((level) => pane.labels.setConfidence(level)),
    adopt: queued((free) => openForm(pane, "topic", free)),
    explain: queued((topic) => pane.codebook.open(topic)),
  };
  patchPanel(pane, "card", drawCard(pane));
  patchPanel(pane, "topics", drawTopics(pane, actions));
  mountForm(pane);
}

/** @param {Pane} pane */
function drawListAndHeader(pane) {
  const { view, place } = pane;
  const mode = view.list.kind === "queue" ? place.mode : "";
  patchPanel(pane, "about", drawProgress(view));
  patchPanel(pane, "modes", drawModes(pane.data.modes, mode, pane.queued((id) => pane.navigation.setMode(id))));
  patchPanel(pane, "saved", drawSaved(pane));
  patchPanel(pane, "queue", drawList(pane));
  mountForm(pane);
  drawStatusLine(pane);
  scrollToCurrentRow(pane);
}

/**
 * Bring the current text into sight when it, its row or the list has changed; else a reader may be looking further down.
 * @param {Pane} pane
 */
function scrollToCurrentRow(pane) {
  const { list, card } = pane.view;
  const rows = [...pane.find("queue").querySelectorAll(".row")];
  const here = rows.findIndex((row) => row.classList.contains("here"));
  const current = JSON.stringify([list.kind, list.title, card?.position, here]);
  if (current === pane.search.scrolledTo) return;
  pane.search.scrolledTo = current;
  if (here > ROWS_IN_SIGHT) rows[here].scrollIntoView({ block: "nearest" });
  else if (pane.search.listScrolled) pane.find("queue").querySelector(".rows")?.scrollTo({ top: 0 });
}

/** @param {Pane} pane @param {() => void} draw */
function keepingFocus(pane, draw) {
  const { root } = pane;
  const field = root.activeElement;
  const focused = field instanceof HTMLElement && field.dataset.k;
  draw();
  const lost = focused && !pane.dialog.shown && root.activeElement !== field;
  const again = lost ? root.querySelector(`[data-k="${CSS.escape(focused)}"]`) : null;
  if (again) /** @type {HTMLElement} */ (again).focus({ preventScroll: true });
}

/** @param {Pane} pane @param {string} id @param {(ChildNode | null)[]} children */
function patchPanel(pane, id, children) {
  pane.patching = true;
  patch(pane.find(id), children);
  pane.patching = false;
}

/** @param {Pane} pane */
function drawCard(pane) {
  const { queued, view, unfolded } = pane;
  const { card } = view;
  if (!card) return [h("div", { class: "done" }, ...drawNoCard(view))];
  const unfold = queued(() => pane.unfold());
  return [
    drawMeta(card),
    drawShares(view, card),
    h("article", { class: "body", tabindex: "0", "data-k": "body", "data-document": card.position },
      h("div", { class: "text" }, drawText(view, card.pieces, !unfolded, unfold)),
      drawFold(card, !unfolded, unfold),
      card.cut && unfolded ? h("p", { class: "empty" }, `The last ${number(card.cut)} characters are not shown.`) : null,
      card.note ? h("p", { class: "note" }, card.note) : null,
      drawHighlights(pane, view, card),
      drawEarlier(view, card)),
    h("div", { class: "below" }, drawLabel(view, card), drawSayWhy(queued(() => new Highlights(pane).add())), drawSimilar(queued(() => pane.search.findSimilar()))),
    drawProposal(pane),
    formSlot(pane.form, "note"),
    drawCardButtons(pane),
  ];
}

/** @param {Pane} pane */
function drawCardButtons(pane) {
  const { queued, labels, navigation } = pane;
  /** @type {(key: string, name: string, job: () => unknown, kind?: string) => HTMLElement} */
  const button = (key, name, job, kind = "") =>
    h("button", { type: "button", class: kind, "data-k": `b-${key}`, on: { click: queued(job) } }, name, h("kbd", {}, key));
  const save = h("button", { type: "button", class: "save", "data-k": "b-save", on: { click: queued(() => navigation.next()) } },
    pane.data.reader ? "Next" : "Save and next", h("kbd", { "aria-hidden": "true" }, "↵"));
  if (pane.data.reader) return h("div", { class: "actions" }, save);
  return h("div", { class: "actions" },
    button("S", "Skip", () => navigation.skip()),
    button("X", "Nothing fits", () => labels.toggleNothingFits(), labels.draft.nothing_fits ? "on" : ""),
    button("T", "New topic", () => openForm(pane, "topic")),
    button("N", "Note", () => openForm(pane, "note")),
    save);
}

/** @param {View} view */
function drawNoCard(view) {
  const { documents, labelled } = view.project;
  if (view.list.kind === "saved") return [h("b", {}, view.problem || "Nothing is left of this search."), h("p", {}, "Choose another order or saved search above.")];
  if (view.list.kind !== "queue") return [h("b", {}, view.problem || "No text matches."), h("p", {}, "Press Escape to go back to the queue.")];
  if (labelled >= documents) return [h("b", {}, "Every text is labelled."), h("p", {}, "See the results under Topics and Scores, or press ← to go back to a text.")];
  return [h("b", {}, "Nothing is waiting here."), h("p", {}, "Choose another order above, or search for words.")];
}

/** @param {Pane} pane */
export function drawStatusLine(pane) {
  /** @type {(name: string, key: string, title: string, job: () => unknown) => HTMLElement} */
  const button = (name, key, title, job) => h("button", {
    type: "button", class: "keys", "data-k": `l-${name}`, title, on: { click: pane.queued(job) },
  }, name, key ? h("kbd", {}, key) : null);
  patchPanel(pane, "line", [h("div", {}, statusParts(pane)), h("nav", { "aria-label": "Steps" },
    button("Back", "", "The text before (←)", () => pane.navigation.goBack()),
    button("Undo", "", "Undo the last event (Ctrl+Z)", () => pane.undoOrRedo("undo")),
    button("Redo", "", "Redo (Ctrl+Shift+Z)", () => pane.undoOrRedo("redo")),
    button("Keys ", "?", "All keys", () => showKeyHelp(pane)))]);
}

/** @param {Pane} pane */
function statusParts(pane) {
  const { trouble, notice, keys: { prefix } } = pane;
  if (trouble) return [h("span", { class: "bad" }, trouble)];
  if (notice) return [h("span", { class: "notice" }, notice)];
  if (prefix) return [h("span", { class: "notice" }, `${prefix} … second key of the topic`)];
  return fitParts(pane.view, pane.stages.shown, {
    cancel: () => pane.server.cancel(),
    refit: () => pane.server.refit(),
    showChanges: () => pane.jobs.enqueue(() => pane.changes.open()),
  });
}
