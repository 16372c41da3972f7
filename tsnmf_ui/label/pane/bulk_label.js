// @ts-check
// One label for a whole list. The preview says what would happen before it does; one undo takes
// it all back.

/** @import { BulkPreview, BulkRequest, Refused, Row } from "./types.js" */
/** @import { Pane } from "./pane.js" */

import { h } from "./element.js";
import { number, plural } from "./format.js";

/** @returns {BulkRequest} */
const emptyRequest = () =>
  ({ permitted: [], forbidden: [], confidence: "sure", nothing_fits: false, labelled: "leave", limit: null });

export class BulkLabel {
  /** @param {Pane} pane */
  constructor(pane) {
    this.pane = pane;
    this.request = emptyRequest();
    /** @type {BulkPreview | null} */
    this.preview = null;
    /** @type {string | undefined} */
    this.problem = undefined;
    this.previewed = ""; // the request that the preview, or the problem, is about
  }

  open() {
    const { view } = this.pane;
    if (view.list.kind === "queue" || !view.waiting) {
      this.pane.showNotice("Search for texts first, or choose a topic or a selection; then A labels them all.");
      return;
    }
    const topic = /^topic:"?([^"]+?)"?$/.exec(this.pane.place.search.trim());
    const named = topic && view.topics.find((each) => each.name.toLowerCase() === topic[1].toLowerCase());
    this.request = { ...emptyRequest(), permitted: named ? [named.id] : [] };
    this.preview = null;
    this.previewed = "";
    this.draw();
    return this.loadPreview();
  }

  get saysSomething() {
    const { permitted, forbidden, nothing_fits } = this.request;
    return permitted.length || forbidden.length || nothing_fits;
  }

  /** @param {Partial<BulkRequest>} changes */
  change(changes) {
    Object.assign(this.request, changes);
    this.draw();
    this.pane.jobs.enqueue(() => this.loadPreview());
  }

  async loadPreview() {
    const { pane } = this;
    const asked = JSON.stringify(this.request);
    const { mode, search, documents } = pane.place;
    /** @type {BulkPreview & Partial<Refused>} */
    const answer = await pane.server.post("api/preview", { mode, search, documents, ask: { ...this.request } });
    if (!pane.dialog.shown || asked !== JSON.stringify(this.request)) return; // changed meanwhile
    this.previewed = asked;
    this.problem = answer.error;
    this.preview = answer.error === undefined ? answer : null;
    this.draw();
  }

  /**
   * @param {"permitted" | "forbidden"} list
   * @param {"permitted" | "forbidden"} other
   * @param {number} topic
   */
  toggle(list, other, topic) {
    const chosen = this.request[list].includes(topic);
    this.change({
      [list]: chosen ? this.request[list].filter((each) => each !== topic) : [...this.request[list], topic],
      [other]: this.request[other].filter((each) => each !== topic), nothing_fits: list === "permitted" ? false : this.request.nothing_fits,
    });
  }

  draw() {
    const { view } = this.pane;
    const { preview } = this;
    const ready = preview && preview.count > 0 && this.saysSomething;
    const count = preview ? plural(preview.count, "text") : "…";
    this.pane.dialog.show(`Label ${plural(view.waiting, "text")}: ${view.list.kind === "selection" ? view.list.title : this.pane.place.search}`, [
      h("div", { class: "bulk" },
        h("section", { "aria-label": "The label" }, this.drawTopics(), this.drawOptions()),
        h("section", { class: "preview", "aria-label": "What will happen", "aria-live": "polite" }, this.drawPreview())),
      h("div", { class: "actions" },
        h("button", { type: "button", "data-k": "bulk-no", on: { click: () => this.pane.dialog.close() } }, "Cancel"),
        h("button", { type: "button", class: "save", "data-k": "bulk-yes", disabled: !ready, on: { click: () => this.apply() } }, ready ? `Label ${count}` : "Choose a topic")),
    ], { wide: true, keep: true });
    const nothing = /** @type {HTMLInputElement | null} */ (this.pane.dialog.element.querySelector("[data-k=b-nothing]"));
    if (nothing) nothing.checked = this.request.nothing_fits; // what was clicked once no longer follows its attribute
  }

  drawTopics() {
    const { view } = this.pane;
    return h("ul", { class: "choices" }, view.topics.map((topic) => {
      const on = this.request.permitted.includes(topic.id), off = this.request.forbidden.includes(topic.id);
      return h("li", { class: `topic${on ? " on" : ""}${off ? " off" : ""}`, style: { "--c": topic.colour, "--share": "0%" } },
        h("button", { type: "button", class: "pick", "data-k": `bp${topic.id}`, "aria-pressed": String(on), "aria-label": `${topic.name}, allowed in all`, on: { click: () => this.toggle("permitted", "forbidden", topic.id) } },
          h("span", { class: "name" }, topic.name)),
        h("button", { type: "button", class: "not", "data-k": `bn${topic.id}`, "aria-pressed": String(off), "aria-label": `${topic.name}, forbidden in all`, on: { click: () => this.toggle("forbidden", "permitted", topic.id) } }, "not"));
    }));
  }

  drawOptions() {
    const { request } = this;
    /** @type {(name: "confidence" | "labelled", value: string, label: string) => HTMLElement} */
    const choice = (name, value, label) => h("button", {
      type: "button", role: "radio", "data-k": `b-${name}-${value}`, "aria-checked": String(request[name] === value), on: { click: () => this.change({ [name]: value }) },
    }, label);
    const limit = h("input", { type: "number", min: 1, step: 1, placeholder: "all", "aria-label": "Only the first", "data-k": "b-limit", value: request.limit });
    limit.addEventListener("input", () => this.change({ limit: limit.value ? Math.max(1, Math.round(Number(limit.value))) : null }));
    return h("div", { class: "options" },
      h("label", {}, h("input", { type: "checkbox", "data-k": "b-nothing", checked: request.nothing_fits, on: { change: () => this.change({ nothing_fits: !request.nothing_fits, permitted: [] }) } }), " Nothing fits"),
      h("div", { class: "confidence", role: "radiogroup", "aria-label": "Weight of the labels" }, choice("confidence", "sure", "Normal weight"), choice("confidence", "unsure", "Half weight"), choice("confidence", "expert", "Double weight")),
      h("div", { class: "confidence", role: "radiogroup", "aria-label": "Texts that are labelled already" }, choice("labelled", "leave", "Leave labelled texts"), choice("labelled", "replace", "Replace labels")),
      h("label", { class: "limit" }, "Only the first ", limit, " texts, as listed"));
  }

  drawPreview() {
    const { preview, problem } = this;
    const { view } = this.pane;
    if (problem) return h("p", { class: "empty problem" }, problem);
    if (!preview) return h("p", { class: "empty" }, "Looking…");
    const named = (/** @type {Row} */ row) => (row.nothing ? "nothing fits" : row.labels.map((id) => (view.topics.find((topic) => topic.id === id) || { name: "?" }).name).join(", ")) || "only forbidden topics";
    /** @type {(rows: Row[], note?: (row: Row) => string) => HTMLElement} */
    const sample = (rows, note) => h("ul", { class: "sample" }, rows.map((row) => h("li", {}, h("em", {}, `#${row.id}`), note ? h("b", {}, note(row)) : null, " ", row.snippet)));
    const authors = preview.authors.map(([author, n]) => `${number(n)} by ${author}`).join(", ");
    return [
      h("p", { class: "sum" }, h("b", {}, plural(preview.count, "text")), preview.count === 1 ? " gets" : " get", " this label."),
      preview.left ? h("p", {}, `${plural(preview.left, "labelled text")} ${preview.left === 1 ? "stays as it is" : "stay as they are"}.`) : null,
      preview.doubled ? h("p", {}, `${plural(preview.doubled, "text is", "texts are")} left out: two people label ${preview.doubled === 1 ? "it" : "them"}, one text at a time.`) : null,
      preview.same ? h("p", {}, `${plural(preview.same, "text has", "texts have")} this label already.`) : null,
      preview.replaced ? [h("p", { class: "bad" }, `${plural(preview.replaced, "label is", "labels are")} replaced: ${authors}.`), sample(preview.replaced_sample, (row) => ` now ${named(row)}`)] : null,
      preview.sample.length ? [h("p", {}, "For example:"), sample(preview.sample)] : null,
    ];
  }

  /** The click may come before the preview of what was typed last: it is waited for. */
  apply() {
    const { pane } = this;
    pane.jobs.enqueue(async () => {
      if (this.previewed !== JSON.stringify(this.request)) await this.loadPreview();
      const { preview, request } = this;
      if (!pane.dialog.shown || !preview?.count) return; // closed meanwhile, or it says why not
      pane.dialog.close();
      pane.takeAnswer(await pane.send({ kind: "bulk", key: preview.key, ...request }), { keepCard: true });
    });
  }
}
