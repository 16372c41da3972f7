// @ts-check
// Giving labels. Jobs wait for their turn, and meanwhile the text can get a label from somebody
// else: whoever pressed the key did not see it.

/** @import { Card, Confidence, Draft, Label, SavedLabel, View } from "./types.js" */
/** @import { Pane } from "./pane.js" */

import { clearFreeTopic } from "./proposal.js";
import { topicOfName } from "./topic_list.js";

/** @type {Confidence[]} */
const LEVELS = ["sure", "unsure", "expert"];

/** @type {(card: Pick<Card, "label" | "skipped" | "doubled" | "spoken">) => boolean} */
const isDone = ({ label, skipped, doubled, spoken }) => Boolean(skipped || (doubled ? spoken : label && (label.permitted.length || label.nothing_fits)));

/**
 * Whether going on from a text says something that is not on the log yet: that one agrees with
 * somebody else's label, or is done with a text that two people label.
 * @param {Card} card @param {string} author who goes on
 */
export const confirmsByLeaving = ({ label, doubled, spoken }, author) =>
  Boolean(label && (doubled ? !spoken : label.author !== author));

/** @type {<Item>(list: Item[], item: Item) => Item[]} */
const toggled = (list, item) => (list.includes(item) ? list.filter((each) => each !== item) : [...list, item]);

/** @type {<Item>(list: Item[], item: Item) => Item[]} */
const without = (list, item) => list.filter((each) => each !== item);

/**
 * The label that the author has seen. One that somebody else has given since is neither added to
 * nor taken away from: the server will ask.
 * @param {Card} card as it is now
 * @param {Card | null} seenCard as it was when the key was pressed
 * @param {string} author who labels
 * @returns {Label | null}
 */
export function seenLabel(card, seenCard, author) {
  const isTheirs = card.label && card.label.author !== author;
  return isTheirs && seenCard && seenCard.position === card.position ? seenCard.label : card.label;
}

/**
 * A view with a label that has reached the disk. The list moves on with its reader, and the shares
 * with the news of a refit.
 * @param {View & { card: Card }} view
 * @param {SavedLabel} answer
 * @returns {View}
 */
export function withSavedLabel(view, { label_state: state, project, revision, topics }) {
  const card = { ...view.card, ...state };
  const { permitted, nothing_fits } = state.label || { permitted: [], nothing_fits: false }; // taken back meanwhile
  const queue = view.queue.map((row) => (row.position === state.position ? { ...row, labels: permitted, nothing: nothing_fits, skipped: false } : row));
  const fewer = view.list.kind === "queue" ? Number(isDone(card)) - Number(isDone(view.card)) : 0;
  return { ...view, project, revision, topics, queue, card, waiting: Math.max(0, view.waiting - fewer) };
}

export class Labels {
  /** @param {Pane} pane */
  constructor(pane) {
    this.pane = pane;
    /** @type {Confidence} */
    this.confidence = "sure"; // for texts that have no label yet
  }

  /** What the label of the open text says, as it is now. */
  get draft() {
    const { view } = this.pane;
    return this.draftOf((view && view.card && view.card.label) || null);
  }

  /** Its label when the key was pressed. */
  get seenDraft() {
    return this.draftOf(this.seen());
  }

  seen() {
    const { view, seenCard, data } = this.pane;
    return view.card && seenLabel(view.card, seenCard, data.author);
  }

  /**
   * @param {Label | null} label
   * @returns {Draft}
   */
  draftOf(label) {
    const { view } = this.pane;
    const note = (view && view.card && view.card.note) || "";
    return label || { permitted: [], forbidden: [], confidence: this.confidence, nothing_fits: false, note };
  }

  /**
   * Save changes to the label of the open text.
   * @param {Partial<Draft>} changes
   * @param {{ seenEvent?: number, spoken?: boolean }} [options] seenEvent: the label that is
   * replaced knowingly; spoken: the label is confirmed
   * @returns {Promise<boolean>} whether it is on disk
   */
  async save(changes, { seenEvent, spoken = false } = {}) {
    const { pane } = this;
    const { card } = pane.view;
    if (!card) return false;
    const before = this.seen();
    const { permitted, forbidden, confidence, nothing_fits, note } = { ...this.draftOf(before), ...changes };
    const seen = seenEvent ?? (before ? before.event : 0);
    const request = { kind: "label", position: card.position, permitted, forbidden, confidence, nothing_fits, note, seen, ...(spoken ? { spoken } : {}) };
    const answer = await pane.send(request);
    if (answer.label_state) {
      this.showSaved(/** @type {SavedLabel} */ (answer));
      return true;
    }
    pane.dropWaitingJobs();
    pane.takeAnswer(answer.conflict === undefined ? answer : { ...answer, draft: request }, { keepCard: true });
    if (answer.error) pane.refresh(answer.error); // a topic that is gone would be refused each time
    return false;
  }

  /** @param {SavedLabel} answer */
  showSaved(answer) {
    const { pane } = this;
    pane.stages.reset(answer.fit);
    pane.notice = "";
    pane.show(withSavedLabel(/** @type {View & { card: Card }} */ (pane.view), answer));
  }

  /** @param {number} topic */
  permit(topic) {
    const { permitted, forbidden } = this.seenDraft;
    return this.save({ permitted: toggled(permitted, topic), forbidden: without(forbidden, topic), nothing_fits: false });
  }

  /** @param {number} topic */
  forbid(topic) {
    const { permitted, forbidden } = this.seenDraft;
    return this.save({ forbidden: toggled(forbidden, topic), permitted: without(permitted, topic) });
  }

  toggleNothingFits() {
    return this.save({ nothing_fits: !this.seenDraft.nothing_fits, permitted: [] });
  }

  /** @param {Confidence} level */
  async setConfidence(level) {
    const { pane } = this;
    this.confidence = level;
    if (pane.view.card && pane.view.card.label) await this.save({ confidence: level });
    else pane.draw();
  }

  nextConfidence() {
    return this.setConfidence(LEVELS[(LEVELS.indexOf(this.draft.confidence) + 1) % LEVELS.length]);
  }

  /**
   * Permit or forbid the topic that has a key code.
   * @param {string} code @param {boolean} forbids
   */
  toggleByCode(code, forbids) {
    const { view } = this.pane;
    const topic = view.topics.find((each) => each.key === code);
    if (!topic || !view.card) return this.pane.drawLine();
    return forbids ? this.forbid(topic.id) : this.permit(topic.id);
  }

  /**
   * A topic whose name was typed as that of a new one.
   * @param {number} topic
   */
  async permitKnown(topic) {
    const { pane } = this;
    pane.form = null;
    if (!pane.view.card || this.seenDraft.permitted.includes(topic)) return pane.draw();
    await this.permit(topic);
  }

  /**
   * @param {string} name
   * @param {{ run: number, topic: number, key: string }} [free] the free topic that gets the name
   */
  async createTopic(name, free) {
    const { pane } = this;
    const known = free ? undefined : topicOfName(pane.view.topics, name);
    if (known) return this.permitKnown(known.id);
    const clear = free ? null : clearFreeTopic(pane.view); // before the label takes the text away from it
    const answer = await pane.send({ kind: "create_topic", name, free_topic: free || null });
    const old = new Set(pane.view.topics.map((topic) => topic.id));
    pane.form = null;
    pane.takeAnswer(answer, { keepCard: true });
    const made = answer.topics && answer.topics.find((topic) => !old.has(topic.id));
    if (!made || !pane.view.card || free) return;
    await this.permit(made.id);
    if (clear) pane.proposal.offer(made, clear);
  }
}
