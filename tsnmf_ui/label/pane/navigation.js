// @ts-check
// Moving from text to text and from list to list.

/** @import { Card } from "./types.js" */
/** @import { Pane } from "./pane.js" */

import { confirmsByLeaving } from "./labels.js";

export class Navigation {
  /** @param {Pane} pane */
  constructor(pane) {
    this.pane = pane;
    /** @type {number[]} */
    this.back = []; // positions of texts
    /** @type {number[]} */
    this.ahead = [];
  }

  /** Position of the open text. */
  get here() {
    const { card } = this.pane.view;
    return card && card.position;
  }

  /**
   * Open a text.
   * @param {number | undefined} position
   * @param {number[]} trail where the text that is left is noted
   */
  async open(position, trail = this.back) {
    const { pane, here } = this;
    if (position === undefined || position === here) return;
    if (here !== null) trail.push(here);
    pane.place.document = position;
    pane.takeAnswer(await pane.server.show(pane.place));
  }

  goBack() {
    return this.back.length ? this.open(this.back.pop(), this.ahead) : undefined;
  }

  goForward() {
    if (this.ahead.length) return this.open(this.ahead.pop(), this.back);
    if (this.here !== null) return this.sendAndMoveOn({ kind: "next" });
  }

  /** @param {1 | -1} by rows of the list */
  step(by) {
    const positions = this.pane.view.queue.map((row) => row.position);
    const index = positions.indexOf(this.here ?? -1);
    return this.open(positions[index < 0 ? 0 : index + by]);
  }

  /** Go on from a text that is labelled. Whoever goes on from another's label agrees with it. */
  next() {
    const { pane } = this;
    const { card } = pane.view;
    const { permitted, forbidden, nothing_fits } = pane.labels.draft;
    if (!card) return;
    if (pane.data.reader) return this.moveOn();
    if (!permitted.length && !forbidden.length && !nothing_fits)
      return pane.showNotice("Choose at least one topic, or press S to skip this text.");
    if (!confirmsByLeaving(card, pane.data.author)) return this.moveOn();
    return pane.labels.save({}, { spoken: true }).then((saved) => (saved ? this.moveOn() : undefined));
  }

  moveOn() {
    const { card, upcoming } = this.pane.view;
    return card && upcoming ? this.showUpcoming(card, upcoming) : this.sendAndMoveOn({ kind: "next" });
  }

  skip() {
    if (this.here !== null) return this.sendAndMoveOn({ kind: "skip", position: this.here });
  }

  /**
   * The next text came along with this one: show it now, tell the server meanwhile. The server
   * opens that very text, so a key that follows means the text its presser sees.
   * @param {Card} card @param {Card} upcoming
   */
  async showUpcoming(card, upcoming) {
    const { pane } = this;
    const from = { ...pane.place, document: card.position };
    this.back.push(card.position);
    this.ahead = [];
    pane.resetCardState();
    pane.place.document = upcoming.position;
    pane.show({ ...pane.view, card: upcoming, upcoming: null }, { cardOnly: true });
    const answer = await pane.server.send(from, { kind: "next", to: upcoming.position });
    pane.takeAnswer(answer, { keepCard: true });
  }

  /** @param {{ kind: string, position?: number }} request after which another text is open */
  async sendAndMoveOn(request) {
    const { pane, here: from } = this;
    pane.takeAnswer(await pane.send(request));
    if (from !== null && from !== this.here) {
      this.back.push(from);
      this.ahead = [];
    }
  }

  /** @param {string} mode order of the queue */
  setMode(mode) {
    return this.openList({ mode, documents: "" });
  }

  nextMode() {
    const modes = this.pane.data.modes.map(([id]) => id);
    return this.setMode(modes[(modes.indexOf(this.pane.place.mode) + 1) % modes.length]);
  }

  /** @param {string} documents key of a selection */
  openSelection(documents) {
    return this.openList({ mode: this.pane.place.mode, documents });
  }

  /** @param {{ mode: string, documents: string }} list */
  async openList({ mode, documents }) {
    const { pane } = this;
    pane.place = { mode, search: "", documents, document: null };
    pane.search.clear();
    pane.takeAnswer(await pane.server.show(pane.place));
  }
}
