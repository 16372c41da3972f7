// @ts-check
// The menu of saved searches: each is a queue of what is left of it.

/** @import { Refused, SavedSearch } from "./types.js" */
/** @import { Pane } from "./pane.js" */

import { h } from "./element.js";
import { number } from "./format.js";
import { SAVED_MODE } from "./saved_place.js";

const NONE_SAVED = "No search is saved yet. Search for something and press “Save search…”.";

export class SavedSearches {
  /** @param {Pane} pane */
  constructor(pane) {
    this.pane = pane;
    this.shown = false;
    /** @type {SavedSearch[] | null} */
    this.list = null; // until it was counted
  }

  toggle() {
    if (!this.pane.view.saved.length && !this.shown) return this.pane.showNotice(NONE_SAVED);
    this.shown = !this.shown;
    this.list = null;
    this.pane.draw();
    if (this.shown) this.load();
  }

  /** Counting may take a moment: no key waits for it. */
  async load() {
    /** @type {{ saved: SavedSearch[] } & Partial<Refused>} */
    const answer = await this.pane.server.saved();
    if (answer.error !== undefined || !this.shown) return;
    this.list = answer.saved;
    this.pane.draw();
    const first = /** @type {HTMLElement | null} */ (this.pane.find("saved").querySelector("li button"));
    first?.focus();
  }

  /** @returns {boolean} whether it was open */
  close() {
    const { shown } = this;
    this.shown = false;
    if (shown) this.pane.draw();
    return shown;
  }

  /** @param {string} name */
  choose(name) {
    this.shown = false;
    return this.pane.navigation.setMode(SAVED_MODE + name);
  }

  /** @param {string} name @param {string} search */
  async save(name, search) {
    const { pane } = this;
    pane.form = null;
    pane.takeAnswer(await pane.send({ kind: "save_search", name, search }), { keepCard: true });
  }

  /** @param {string} name */
  async remove(name) {
    const { pane } = this;
    if (pane.place.mode === SAVED_MODE + name) pane.place = { ...pane.place, mode: pane.data.modes[0][0] };
    await this.save(name, "");
    this.shown = pane.view.saved.length > 0;
    pane.draw();
    if (this.shown) this.load();
  }
}

/** @param {Pane} pane */
export function drawSaved(pane) {
  const { queued, saved, view } = pane;
  const current = view.list.kind === "saved" ? view.list.title : "";
  if (!view.saved.length && !current) return [];
  return [
    h("button", { type: "button", class: current ? "on" : "", "data-k": "saved", "aria-haspopup": "true", "aria-expanded": String(saved.shown), title: "Saved searches (Q)", on: { click: queued(() => saved.toggle()) } },
      h("span", {}, current || "Saved"), h("i", { "aria-hidden": "true" }, "▾")),
    saved.shown ? h("ul", { class: "menu", "aria-label": "Saved searches" }, drawEntries(pane)) : null,
  ];
}

/** @param {Pane} pane */
function drawEntries({ queued, saved, view }) {
  const uncounted = view.saved.map((name) => ({ name, search: "", author: "", left: null, problem: "" }));
  return (saved.list ?? uncounted).map(({ name, search, author, left, problem }) => h("li", {},
    h("button", { type: "button", "data-k": `saved-${name}`, title: problem || (author ? `${search}, saved by ${author}` : search), on: { click: queued(() => saved.choose(name)) } },
      h("b", {}, name), h("span", { class: problem ? "bad" : "" }, problem ? "not understood" : left === null ? "…" : `${number(left)} left`), h("small", {}, search)),
    h("button", { type: "button", class: "drop", "data-k": `drop-${name}`, title: `Remove “${name}”`, "aria-label": `Remove the saved search ${name}`, on: { click: queued(() => saved.remove(name)) } }, "×")));
}
