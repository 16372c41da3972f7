// @ts-check
// The labelling pane: its state, the answers and events of the server, and the order of its jobs.

/** @import { Answer, PaneData, PaneEvent, Place, TopicForm, View } from "./types.js" */
/** @import { Job } from "./job_queue.js" */

import { BulkLabel } from "./bulk_label.js";
import { Codebook } from "./codebook.js";
import { takeConflict } from "./conflict.js";
import { Dialog } from "./dialog.js";
import { FitStages } from "./fit_stages.js";
import { closeSearchForm } from "./forms.js";
import { JobQueue } from "./job_queue.js";
import { Keys } from "./keys.js";
import { Labels } from "./labels.js";
import { listOf, withScrolledRows } from "./list.js";
import { Navigation } from "./navigation.js";
import { drawNextCard, drawPane, drawStatusLine } from "./panels.js";
import { KeepProposal } from "./proposal.js";
import { RefitChangesDialog } from "./refit_changes.js";
import { readPlace, sameList, savePlace } from "./saved_place.js";
import { SavedSearches } from "./saved_searches.js";
import { Search } from "./search.js";
import { Server } from "./server.js";

const SAVE_PLACE_DELAY_MS = 30; // the card is drawn first
const MAX_UNDRAWN_MS = 150; // for which a view may stay undrawn while further keys are waiting
const SLOW_ANSWER_MS = 150; // after which the pane shows that it waits
const REDRAW_TIMES_MS = 10_000; // “2 min ago” moves on
const MIN_HEIGHT_PX = 440;

export class Pane {
  /** @param {ShadowRoot} root @param {PaneData} data @param {() => void} requestToken */
  constructor(root, data, requestToken) {
    this.root = root;
    this.data = data;
    this.element = /** @type {HTMLElement} */ (root.querySelector(".desk"));
    /** @type {View} */
    this.view = /** @type {any} */ (null); // until the first answer; before it only jobs and events run
    this.stages = new FitStages();
    this.unfolded = false;
    /** @type {TopicForm | null} */
    this.form = null; // while one is being filled in
    this.notice = "";
    /** @type {string | null} */
    this.trouble = null; // a sentence while the server does not answer
    this.patching = false;
    this.undrawnSince = 0;
    this.droppedJobs = 0; // changes when jobs that wait are dropped
    /** @type {View["card"]} */
    this.seenCard = null; // as it was when the key was pressed whose job is running
    this.refreshing = false;
    this.refreshNotice = "";
    /** @type {Place} */
    this.place = readPlace(data);
    this.jobs = new JobQueue(() => this.undrawnSince && this.draw());
    this.server = new Server(data, {
      onEvent: (event) => this.onEvent(event),
      onTrouble: (sentence) => this.showTrouble(sentence),
      requestToken,
    });
    this.dialog = new Dialog(/** @type {HTMLDialogElement} */ (this.find("veil")));
    this.labels = new Labels(this);
    this.navigation = new Navigation(this);
    this.search = new Search(this);
    this.saved = new SavedSearches(this);
    this.bulk = new BulkLabel(this);
    this.codebook = new Codebook(this);
    this.proposal = new KeepProposal(this);
    this.changes = new RefitChangesDialog(this);
    this.keys = new Keys(this);
    this.queued = this.queued.bind(this);
    this.savePlace = () => savePlace(this.data, this.place);
    this.fitHeight = this.fitHeight.bind(this);
    this.listen();
    this.jobs.enqueue(async () => {
      await this.server.resend();
      this.takeAnswer(await this.server.show(this.place));
      await this.codebook.openRequested();
    });
  }

  /**
   * @param {string} id
   * @returns {HTMLElement}
   */
  find(id) {
    return /** @type {HTMLElement} */ (this.root.querySelector(`#${id}`));
  }

  listen() {
    window.addEventListener("pagehide", this.savePlace);
    window.addEventListener("resize", this.fitHeight);
    this.clock = setInterval(() => this.view && this.drawLine(), REDRAW_TIMES_MS);
    this.root.addEventListener("click", (event) => {
      const { detail, target } = /** @type {MouseEvent} */ (event);
      const button = detail > 0 && target instanceof Element && target.closest("button");
      if (button && !this.dialog.shown) button.blur(); // so that Enter means “next” again, not this button
    });
    this.fitHeight();
  }

  release() {
    this.server.close();
    this.keys.release();
    clearInterval(this.clock);
    clearTimeout(this.savingPlace);
    window.removeEventListener("pagehide", this.savePlace);
    window.removeEventListener("resize", this.fitHeight);
  }

  fitHeight() {
    const top = this.element.getBoundingClientRect().top + window.scrollY;
    const height = Math.max(MIN_HEIGHT_PX, window.innerHeight - Math.max(top, 60) - 10);
    this.element.style.setProperty("--height", `${height}px`);
  }

  // ---- jobs

  /**
   * Run a job in its turn; not at all if one before it was refused: it was meant to follow it.
   * @param {Job} job
   */
  inTurn(job) {
    const { droppedJobs } = this;
    const card = this.view && this.view.card;
    return this.jobs.enqueue(async () => {
      if (droppedJobs !== this.droppedJobs) return;
      this.seenCard = card;
      try {
        await job();
      } finally {
        this.seenCard = null;
      }
    });
  }

  /**
   * A listener that does its job in turn.
   * @template {any[]} Given
   * @param {(...given: Given) => unknown} job
   * @returns {(...given: Given) => void}
   */
  queued(job) {
    return (...given) => this.inTurn(() => job(...given));
  }

  dropWaitingJobs() {
    this.droppedJobs += 1;
    this.keys.forget();
  }

  // ---- answers and events of the server

  /**
   * Show what the server answers. keepCard: a text that is being read stays as it is.
   * @param {Answer} answer
   * @param {{ keepCard?: boolean }} [options]
   */
  takeAnswer(answer, { keepCard = false } = {}) {
    if (answer.conflict !== undefined) return takeConflict(this, /** @type {any} */ (answer));
    if (answer.error !== undefined) return this.showError(answer.error);
    const before = this.view && this.view.card;
    const same = before && answer.card && before.position === answer.card.position;
    if (!same) this.resetCardState();
    else if (before.run && keepCard && answer.card) { // without a run: a first fit may still colour it
      const { id, date, side, kind, reason, pieces, cut } = before;
      answer.card = { ...answer.card, id, date, side, kind, reason, pieces, cut };
    }
    if (this.view && !sameList(answer, this.place)) Object.assign(answer, listOf(this.view), { upcoming: null }); // somebody typed on
    else if (this.view && sameList(answer, this.view)) answer.queue = withScrolledRows(answer, this.view);
    this.stages.reset(answer.fit);
    this.notice = answer.notice || "";
    this.place.document = answer.card ? answer.card.position : null;
    this.show(answer);
  }

  /** Another text is open. */
  resetCardState() {
    this.unfolded = false;
    this.form = null;
    this.proposal.shown = null;
    this.labels.confidence = "sure";
  }

  /**
   * cardOnly: the list and the counts are left to an answer that is on its way.
   * @param {View} view
   * @param {{ cardOnly?: boolean }} [options]
   */
  show(view, { cardOnly = false } = {}) {
    this.view = view;
    this.exposeState();
    clearTimeout(this.savingPlace);
    this.savingPlace = setTimeout(this.savePlace, SAVE_PLACE_DELAY_MS);
    this.undrawnSince = this.undrawnSince || performance.now();
    const replacedSoon = this.jobs.unfinished > 1 && performance.now() - this.undrawnSince < MAX_UNDRAWN_MS;
    if (replacedSoon) return; // by the next key; when no job is left, what was skipped is drawn
    if (cardOnly) drawNextCard(this);
    else this.draw();
  }

  /** What is shown, for whoever watches the page from outside. */
  exposeState() {
    const { refit, list, search } = this.view;
    if (refit) Object.assign(this.element.dataset, { run: String(refit.run), stage: refit.preview ? "preview" : "resting" });
    this.element.dataset.list = `${list.kind} ${search}`;
  }

  /** @param {string} sentence */
  showError(sentence) {
    if (!this.view && this.place.document !== null) {
      this.place.document = null; // an address that names a text that is not there
      this.jobs.enqueue(async () => this.takeAnswer(await this.server.show(this.place)));
      return;
    }
    this.showNotice(sentence);
  }

  /** @param {string} sentence */
  showNotice(sentence) {
    this.notice = sentence;
    if (this.view) this.drawLine();
  }

  /** @param {string | null} sentence */
  showTrouble(sentence) {
    this.trouble = sentence;
    if (this.view) this.drawLine();
  }

  /** @param {PaneEvent} event */
  onEvent(event) {
    if (event.type === "fit") {
      this.stages.follow(event);
      if (this.view) this.drawLine();
      const shown = this.view && this.view.refit ? this.view.refit.run : null;
      if (event.phase === "done" && event.run !== shown) this.refresh();
    } else if (event.type === "recorded" && event.client !== this.server.client) {
      const here = this.view && this.view.card && this.view.card.position === event.position;
      this.refresh(here && event.author ? `${event.author} has just labelled this text.` : "");
    }
  }

  /**
   * Something changed elsewhere: new words, another order, a colleague's label. The text that is
   * being read stays as it is; its shares are the newest.
   * @param {string} [notice]
   */
  refresh(notice = "") {
    this.refreshNotice = notice || this.refreshNotice;
    if (this.refreshing) return;
    this.refreshing = true;
    this.jobs.enqueue(async () => {
      this.refreshing = false;
      const answer = await this.server.show(this.place);
      this.takeAnswer({ ...answer, notice: this.refreshNotice || this.notice }, { keepCard: true });
      this.refreshNotice = "";
    });
  }

  // ---- requests

  /** @param {{ kind: string, [more: string]: unknown }} request */
  async send(request) {
    const slow = setTimeout(() => this.element.classList.add("late"), SLOW_ANSWER_MS);
    const answer = await this.server.send(this.place, request);
    clearTimeout(slow);
    this.element.classList.remove("late");
    return answer;
  }

  /** @param {"undo" | "redo"} kind */
  async undoOrRedo(kind) {
    this.takeAnswer(await this.send({ kind }));
  }

  escape() {
    if (this.proposal.dismiss() || this.saved.close() || closeSearchForm(this)) return;
    this.form = null;
    if (this.place.search || this.place.documents) return this.search.leave();
    this.notice = "";
    this.draw();
  }

  // ---- drawing

  draw() {
    drawPane(this);
  }

  drawLine() {
    drawStatusLine(this);
  }

  unfold() {
    this.unfolded = !this.unfolded;
    this.draw();
  }
}
