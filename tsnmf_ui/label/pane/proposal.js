// @ts-check
// A text whose main topic is a free one was labelled with a new name: perhaps the free topic is what
// the name means. A quiet line asks; it is in nobody's way, and the next text takes it along.

/** @import { FreeTopic, Proposal, Topic, View } from "./types.js" */
/** @import { Pane } from "./pane.js" */

import { h } from "./element.js";

const MIN_CLEAR_SHARE = 0.5; // of the text, which its free topic has to hold

/**
 * The free topic that clearly holds most of the open text.
 * @param {View} view
 * @returns {FreeTopic | null}
 */
export function clearFreeTopic({ card, free_topics, obeys }) {
  if (!card || !obeys) return null;
  const [main] = Object.entries(card.shares).sort(([, one], [, other]) => other - one);
  if (!main || main[1] < MIN_CLEAR_SHARE) return null;
  return free_topics.find((each) => `f${each.topic}` === main[0] && each.words.length) || null;
}

export class KeepProposal {
  /** @param {Pane} pane */
  constructor(pane) {
    this.pane = pane;
    /** @type {Proposal | null} */
    this.shown = null;
  }

  /** @param {Topic} topic the new one @param {FreeTopic} free */
  offer(topic, free) {
    const { card } = this.pane.view;
    if (!card) return;
    this.shown = { topic, free, document: card.position };
    this.pane.draw();
  }

  /** @returns {boolean} whether there was one */
  dismiss() {
    const was = this.shown !== null;
    this.shown = null;
    if (was) this.pane.draw();
    return was;
  }

  async accept() {
    const { pane, shown } = this;
    if (!shown) return;
    this.shown = null;
    const { run, topic, key } = shown.free;
    pane.takeAnswer(await pane.send({ kind: "keep_free", topic: shown.topic.id, free_topic: { run, topic, key } }), { keepCard: true });
  }
}

/** @param {Pane} pane */
export function drawProposal({ proposal, queued, view }) {
  const { shown } = proposal;
  if (!shown || !view.card || view.card.position !== shown.document) return null;
  return h("div", { class: "proposal", role: "status" },
    h("span", {}, "Keep ‘", h("b", {}, shown.free.name), "’ as ", h("b", {}, shown.topic.name), "?"),
    h("button", { type: "button", "data-k": "keep-yes", title: "Its words and texts become part of the new topic; you can undo this", on: { click: queued(() => proposal.accept()) } }, "Yes", h("kbd", {}, "Y")),
    h("button", { type: "button", "data-k": "keep-no", on: { click: queued(() => proposal.dismiss()) } }, "No", h("kbd", {}, "Esc")));
}
