// @ts-check
// Search as you type: one question at a time, the newest wins, an old answer is never drawn.

/** @import { ListView, Refused, SearchFilters } from "./types.js" */
/** @import { Pane } from "./pane.js" */

import { h } from "./element.js";
import { ROWS_PER_ANSWER, drawRow } from "./list.js";
import { sameList } from "./saved_place.js";

const TYPING_PAUSE_MS = 120; // without a key before the server is asked
const HINT_BLUR_MS = 150; // a click on a hint comes after the blur
const LOAD_MORE_PX = 400; // before the end of the list

export class Search {
  /** @param {Pane} pane */
  constructor(pane) {
    this.pane = pane;
    this.box = /** @type {HTMLInputElement} */ (pane.find("search"));
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {AbortController | null} */
    this.request = null; // under way
    this.growing = false; // more rows are on their way
    this.listScrolled = false; // away from its top
    this.scrolledTo = ""; // list and text for which it was last scrolled
    /** @type {number | null} */
    this.wholeLength = null; // of a list that has no more rows
    this.box.value = pane.place.search;
    this.box.addEventListener("input", () => this.searchLater());
    this.box.addEventListener("keydown", (event) => this.onKey(event));
    this.box.addEventListener("focus", () => this.hint(true));
    this.box.addEventListener("blur", () => setTimeout(() => this.hint(false), HINT_BLUR_MS));
    const help = pane.find("filters");
    help.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
    help.addEventListener("click", () => this.toggleHelp());
    pane.find("queue").addEventListener("scroll", (event) => this.onScroll(event.target), true);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.key !== "Enter") return;
    clearTimeout(this.timer);
    const { pane } = this;
    this.box.blur();
    pane.jobs.enqueue(async () => {
      await this.run(this.box.value.trim());
      if (pane.view.queue.length && pane.place.search) await pane.navigation.open(pane.view.queue[0].position);
    });
  }

  searchLater() {
    clearTimeout(this.timer);
    if (this.request) this.request.abort();
    this.timer = setTimeout(() => this.run(this.box.value.trim()), TYPING_PAUSE_MS);
    this.hint(true);
  }

  /**
   * Outside the queue of jobs: a search never makes a label wait, nor a label a search.
   * @param {string} words
   */
  async run(words) {
    const { pane } = this;
    if (words === pane.place.search && !this.request) return;
    if (this.request) this.request.abort();
    const request = (this.request = new AbortController());
    const place = { ...pane.place, search: words };
    /** @type {ListView & Partial<Refused> | null} */
    const answer = await pane.server.rows(place, 0, request.signal);
    if (request !== this.request || answer === null) return; // somebody typed on
    this.request = null;
    if (answer.error !== undefined) return pane.showError(answer.error);
    pane.place = { ...pane.place, search: words };
    pane.show({ ...pane.view, ...answer, upcoming: null }); // what comes next is another list's
  }

  /** An answer that is under way would come to another list. */
  clear() {
    clearTimeout(this.timer);
    if (this.request) this.request.abort();
    this.request = null;
    this.box.value = "";
  }

  /** Leave the results or the selection for the queue; the open text stays. */
  async leave() {
    this.clear();
    const { pane } = this;
    pane.place = { ...pane.place, search: "", documents: "" };
    pane.takeAnswer(await pane.server.show(pane.place), { keepCard: true });
  }

  /** @param {string} words */
  async searchFor(words) {
    this.box.value = words;
    this.hint(false);
    await this.run(words);
  }

  /** The texts most similar to the one that is open, which stays open. */
  async findSimilar() {
    const { card } = this.pane.view;
    if (card) await this.searchFor(`like:"#${card.id}"`);
  }

  /**
   * Notice whether the list is at its top; load more rows near its end.
   * @param {EventTarget | null} target
   */
  async onScroll(target) {
    const { pane } = this;
    const list = /** @type {HTMLElement} */ (target);
    if (!list.classList || !list.classList.contains("rows")) return;
    this.listScrolled = list.scrollTop > 0;
    if (this.growing || !pane.view) return;
    if (list.scrollTop + list.clientHeight < list.scrollHeight - LOAD_MORE_PX) return;
    const { view, place } = pane;
    if (view.queue.length < ROWS_PER_ANSWER || view.queue.length === this.wholeLength) return;
    this.growing = true;
    /** @type {ListView & Partial<Refused> | null} */
    const answer = await pane.server.rows(place, view.queue.length);
    this.growing = false;
    if (!answer || answer.error !== undefined || !sameList(place, pane.place)) return;
    const had = new Set(pane.view.queue.map((row) => row.position));
    const more = answer.queue.filter((row) => !had.has(row.position));
    this.wholeLength = more.length ? null : pane.view.queue.length;
    if (!more.length) return;
    pane.view.queue = [...pane.view.queue, ...more];
    const here = pane.view.card && pane.view.card.position;
    const rows = more.map((row) => drawRow(pane.view, row, here, pane.queued((position) => pane.navigation.open(position))));
    pane.find("queue").querySelector(".rows")?.append(...rows);
  }

  /** Beside what is typed, too. */
  toggleHelp() {
    const shown = Boolean(this.pane.find("hints").hidden);
    if (shown) this.box.focus();
    this.showHelp(shown);
  }

  /** @param {boolean} shown where nothing is typed yet */
  hint(shown) {
    this.showHelp(shown && !this.box.value);
  }

  /** @param {boolean} shown */
  showHelp(shown) {
    const box = this.pane.find("hints");
    box.hidden = !shown;
    this.pane.find("filters").setAttribute("aria-expanded", String(shown));
    if (shown && !box.childElementCount) this.loadHelp(box);
  }

  /** @param {HTMLElement} box */
  async loadHelp(box) {
    /** @type {SearchFilters & Partial<Refused>} */
    const filters = await this.pane.server.filters();
    if (filters.error !== undefined || box.childElementCount) return;
    /** @type {(filter: [string, string]) => HTMLElement} */
    const hint = ([text, what]) => h("button", {
      type: "button", tabindex: "-1", on: { mousedown: (/** @type {Event} */ event) => event.preventDefault(), click: () => this.add(text) },
    }, h("code", {}, text), h("span", {}, what));
    box.append(...filters.all.map(hint));
    if (filters.columns.length) box.append(h("h3", {}, "Columns of the file"), ...filters.columns.map(hint));
  }

  /** @param {string} text */
  add(text) {
    const before = this.box.value.trimEnd();
    this.showHelp(false);
    this.box.value = before ? `${before} ${text}` : text;
    this.box.focus();
    this.searchLater();
  }
}
