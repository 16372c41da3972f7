// @ts-check
// Words of a text that say why it belongs to a topic: selected with the mouse, kept with H.

/** @import { Card, Highlight, Piece, View } from "./types.js" */
/** @import { Pane } from "./pane.js" */

import { h } from "./element.js";

/** Part of a drawn piece: which of the pieces in sight, and from where to where in it. */
/** @typedef {[piece: number, from: number, to: number]} Touched */

const letters = (/** @type {string} */ text) => Array.from(text); // as the server counts them

/**
 * Where a selection stands in the whole text, without blanks around it.
 * @param {Piece[]} pieces @param {boolean} folded whether hidden pieces are out of sight
 * @param {Touched[]} touched in order
 * @returns {{ start: number, end: number, quote: string } | null}
 */
export function spanOf(pieces, folded, touched) {
  if (!touched.length) return null;
  const begins = pieces.map((_, i) => letters(pieces.slice(0, i).map(([text]) => text).join("")).length);
  const inSight = pieces.flatMap((piece, i) => (folded && piece[4] ? [] : [i]));
  const place = (/** @type {number} */ drawn, /** @type {number} */ at) =>
    begins[inSight[drawn]] + letters(pieces[inSight[drawn]][0].slice(0, at)).length;
  const first = touched[0], last = touched[touched.length - 1];
  const start = place(first[0], first[1]), end = place(last[0], last[2]);
  const chosen = letters(pieces.map(([text]) => text).join("")).slice(start, end).join("");
  const quote = chosen.trim();
  const before = letters(chosen.slice(0, chosen.length - chosen.trimStart().length)).length;
  return quote ? { start: start + before, end: start + before + letters(quote).length, quote } : null;
}

/**
 * The parts of pieces that a selection touches.
 * @param {HTMLElement} text @param {Range} range
 * @returns {Touched[]}
 */
function touchedPieces(text, range) {
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  /** @type {Touched[]} */
  const touched = [];
  let piece = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement?.closest(".gapped")) continue; // says how many words are hidden
    const from = node === range.startContainer ? range.startOffset : 0;
    const to = node === range.endContainer ? range.endOffset : (node.nodeValue || "").length;
    if (range.intersectsNode(node) && to > from) touched.push([piece, from, to]);
    piece += 1;
  }
  return touched;
}

export class Highlights {
  /** @param {Pane} pane */
  constructor(pane) {
    this.pane = pane;
  }

  /** What is selected in the open text. */
  selected() {
    const { pane } = this;
    const { card } = pane.view;
    const root = /** @type {{ getSelection?: () => Selection | null }} */ (/** @type {unknown} */ (pane.root)); // Chromium's
    const selection = root.getSelection ? root.getSelection() : document.getSelection();
    const text = /** @type {HTMLElement | null} */ (pane.root.querySelector(".body .text"));
    if (!card || !text || !selection || !selection.rangeCount || selection.isCollapsed) return null;
    return spanOf(card.pieces, !pane.unfolded, touchedPieces(text, selection.getRangeAt(0)));
  }

  /** Keep the selected words for the topic of the text; ask which, if there are several. */
  add() {
    const { pane } = this;
    const { permitted } = pane.labels.draft;
    const span = this.selected();
    if (!span) return pane.showNotice("Select the words that say why, then press H.");
    if (!permitted.length) return pane.showNotice("Choose a topic first: highlighted words say why a text belongs to it.");
    return permitted.length === 1 ? this.keep(permitted[0], span) : this.ask(permitted, span);
  }

  /** @param {number[]} permitted @param {{ start: number, end: number, quote: string }} span */
  ask(permitted, span) {
    const { dialog, jobs, view } = this.pane;
    const choose = (/** @type {number} */ topic) => {
      dialog.close();
      jobs.enqueue(() => this.keep(topic, span));
    };
    dialog.show("Why which topic?", [
      h("p", { class: "lead" }, `“${span.quote}”`),
      h("div", { class: "actions" }, view.topics.filter((topic) => permitted.includes(topic.id)).map((topic, i) =>
        h("button", { type: "button", autofocus: i === 0, "data-k": `w${topic.id}`, on: { click: () => choose(topic.id) } }, topic.name))),
    ]);
  }

  /** @param {number} why a topic @param {{ start: number, end: number, quote: string }} span */
  async keep(why, span) {
    const { card } = this.pane.view;
    if (card) await this.send({ kind: "highlight", position: card.position, why, ...span });
  }

  /** @param {"drop_highlight" | "seed_words"} kind @param {Card} card @param {Highlight} highlight */
  change(kind, card, { event }) {
    return this.send({ kind, position: card.position, highlight: event });
  }

  /** @param {{ kind: string, [more: string]: unknown }} request */
  async send(request) {
    const answer = await this.pane.send(request);
    this.pane.takeAnswer(answer);
  }
}

/**
 * The highlights of the open text: the words, whose they are and for which topic.
 * @param {Pane} pane @param {View} view @param {Card} card
 */
export function drawHighlights(pane, view, card) {
  const { queued } = pane, highlights = new Highlights(pane);
  if (!card.highlights?.length) return null;
  const named = (/** @type {Highlight} */ { topics }) => view.topics.filter((topic) => topics.includes(topic.id));
  return h("ul", { class: "why-list", "aria-label": "Words that say why" }, card.highlights.map((each) => {
    const topics = named(each);
    const [topic] = topics;
    return h("li", { style: { "--c": topic ? topic.colour : "var(--quiet)" } },
      h("q", {}, each.quote), h("span", {}, `${topics.map(({ name }) => name).join(", ")} · ${each.author}`, each.found ? null : " · no longer in the text"),
      card.doubled ? null : h("button", { type: "button", "data-k": `seed${each.event}`, "aria-label": `Use “${each.quote}” as words of the topic`, title: "The topic begins with these words; you can undo this", on: { click: queued(() => highlights.change("seed_words", card, each)) } }, "Use as words"),
      h("button", { type: "button", "data-k": `drop${each.event}`, "aria-label": `Remove the highlight “${each.quote}”`, on: { click: queued(() => highlights.change("drop_highlight", card, each)) } }, "Remove"));
  }));
}
