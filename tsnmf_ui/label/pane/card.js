// @ts-check
// The document card: the text with its words in the colours of their topics, what the model reads
// in it, and its labels.

/** @import { Card, Draft, Label, Piece, View } from "./types.js" */

import { h } from "./element.js";
import { ago, percent, plural } from "./format.js";
import { findTopic } from "./topics.js";

const MIN_STRENGTH = 0.12; // words that pull less than this are left uncoloured

/**
 * The words of a text, those that drive a topic in its colour, those searched for underlined. A
 * folded text keeps its beginning and the passages that say most; each gap opens it.
 * @param {View} view @param {Piece[]} pieces @param {boolean} folded @param {() => void} unfold
 */
export function drawText(view, pieces, folded, unfold) {
  /** @type {(Node | string)[]} */
  const shown = [];
  let hidden = "";
  const gap = () => {
    if (!hidden) return;
    const words = wordsIn(hidden);
    shown.push(h("span", { class: "gapped" }, h("button", { type: "button", class: "gap", title: "Show the whole text", "aria-label": `Show ${plural(words, "more word")}`, on: { click: unfold } }, "⋯ ", plural(words, "word")), " "));
    hidden = "";
  };
  for (const piece of pieces) {
    if (folded && piece[4]) hidden += piece[0];
    else {
      gap();
      shown.push(drawPiece(view, piece));
    }
  }
  gap();
  return shown;
}

/** @param {View} view @param {Piece} piece */
function drawPiece(view, [text, reference, strength, hit, , why]) {
  const topic = reference && strength >= MIN_STRENGTH && findTopic(view, reference);
  const words = topic
    ? h("mark", { style: { "--c": topic.colour, "--s": `${8 + 14 * strength}%` }, class: topic.free ? "free" : null, title: topic.name }, text)
    : document.createTextNode(text);
  const reason = why ? findTopic(view, why) : undefined;
  const told = reason ? h("u", { class: "because", style: { "--w": reason.colour }, title: `Highlighted for ${reason.name}` }, words) : words;
  return hit ? h("span", { class: "hit" }, told) : told;
}

const wordsIn = (/** @type {string} */ text) => (text.match(/\S+/g) || []).length;
const isLong = (/** @type {Card} */ card) => card.pieces.some((piece) => piece[4]);

/** @param {Card} card @param {boolean} folded @param {() => void} unfold */
export function drawFold(card, folded, unfold) {
  if (!isLong(card)) return null;
  const rest = wordsIn(card.pieces.filter((piece) => piece[4]).map((piece) => piece[0]).join(" "));
  const label = folded ? `Show ${plural(rest, "more word")}` : "Show less";
  return h("button", { type: "button", class: "fold", "data-k": "fold", "aria-expanded": String(!folded), on: { click: unfold } },
    label, h("kbd", {}, "Space"));
}

/**
 * The shares of the topics in the text as one slim bar.
 * @param {View} view @param {Card} card
 */
export function drawShares(view, card) {
  const parts = Object.entries(card.shares).filter(([, share]) => share >= 0.02);
  if (!parts.length) return null;
  const shares = parts.map(([reference, share]) => `${(findTopic(view, reference) || { name: "another" }).name} ${percent(share)}`);
  return h("div", { class: "reading", "data-run": card.run, role: "img", "aria-label": `The model reads: ${shares.join(", ")}`, title: shares.join(" · ") },
    parts.map(([reference, share]) => {
      const topic = findTopic(view, reference);
      return h("i", { style: { "flex-grow": share, background: topic ? topic.colour : "var(--free)" } });
    }));
}

/** @param {Card} card */
export function drawMeta(card) {
  const { id, date, side, reason } = card;
  return h("div", { class: "meta" },
    h("span", { class: "id" }, `#${id}`),
    date && h("span", {}, date),
    side.slice(0, 3).map(([name, value]) => h("span", { class: "side", title: `${name}: ${value}` }, h("i", {}, `${name}: `), value)),
    side.length > 3 && h("span", { title: side.slice(3).map((pair) => pair.join(": ")).join("\n") }, `+${side.length - 3}`),
    reason && h("span", { class: "why" }, reason));
}

/**
 * What a label says, in words.
 * @param {View} view @param {Draft} label
 */
export function labelInWords(view, label) {
  const named = (/** @type {number[]} */ ids) => ids.map((id) => (view.topics.find((topic) => topic.id === id) || { name: "?" }).name).join(", ");
  /** @type {Node[]} */
  const parts = [];
  if (label.nothing_fits) parts.push(h("b", {}, "Nothing fits"));
  if (label.permitted.length) parts.push(h("span", {}, "May contain ", h("b", {}, named(label.permitted))));
  if (label.forbidden.length) parts.push(h("span", {}, "not ", h("s", {}, named(label.forbidden))));
  if (label.confidence !== "sure") parts.push(h("span", {}, label.confidence === "unsure" ? "half weight" : "double weight"));
  return parts;
}

/** @param {() => void} add */
export const drawSayWhy = (add) =>
  h("button", { type: "button", class: "similar", "data-k": "say-why", title: "Select words of the text that say why it belongs to its topic", on: { mousedown: (/** @type {Event} */ event) => event.preventDefault(), click: add } },
    "Say why", h("kbd", {}, "H"));

/** @param {() => void} findSimilar */
export const drawSimilar = (findSimilar) =>
  h("button", { type: "button", class: "similar", "data-k": "similar", title: "The other texts, the most similar first", on: { click: findSimilar } },
    "Texts like this one", h("kbd", {}, "L"));

const authorAndTime = (/** @type {Label} */ label) =>
  h("span", { title: new Date(label.time).toLocaleString("en") }, `${label.author}, ${ago(label.time)}`);

/** @param {View} view @param {Card} card */
export function drawLabel(view, card) {
  const { label, skipped } = card;
  if (card.doubled) return drawDoubled(view, card);
  if (!label || !(label.permitted.length || label.forbidden.length || label.nothing_fits || label.note))
    return h("div", { class: "label-state" }, skipped ? "Skipped earlier." : "Not labelled yet.");
  return h("div", { class: "label-state saved" }, labelInWords(view, label), authorAndTime(label));
}

const DOUBLED_HINT = "Neither of the two sees the other's label before both are done; until then the model does not use it.";

/**
 * One's own label of a text that two people label.
 * @param {View} view @param {Card} card
 */
function drawDoubled(view, { label, spoken }) {
  if (!label) return h("div", { class: "label-state", title: DOUBLED_HINT }, "Two people label this text, each without seeing the other's label.");
  return h("div", { class: "label-state saved", title: DOUBLED_HINT }, labelInWords(view, label),
    h("span", {}, spoken ? "waits for a second person" : "only you see this; Enter confirms it"));
}

/**
 * Labels of others, and notes that the present label does not carry.
 * @param {View} view @param {Card} card
 */
export function drawEarlier(view, card) {
  const { earlier } = card;
  if (!earlier || !earlier.length) return null;
  return h("ul", { class: "earlier", "aria-label": "Earlier labels" }, earlier.map((label) =>
    h("li", {}, h("div", { class: "label-state" }, "Earlier:", labelInWords(view, label), authorAndTime(label)), label.note ? h("p", { class: "note" }, label.note) : null)));
}
