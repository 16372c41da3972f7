// @ts-check
// The codebook: what each topic means, for everybody in the project. What is written is kept as
// soon as a field is left; there is nothing to forget to save.

/** @import { CodebookEntry, Topic } from "./types.js" */
/** @import { Pane } from "./pane.js" */

import { h } from "./element.js";
import { takeRequestedEntry } from "./saved_place.js";

/** @type {["definition" | "include" | "exclude", string, string][]} */
const FIELDS = [
  ["definition", "Definition", "What is this topic about, in one or two sentences?"],
  ["include", "Belongs here", "Cases that count, also the borderline ones"],
  ["exclude", "Does not belong here", "Similar cases that belong elsewhere, and where"],
];

/** @returns {CodebookEntry} */
const emptyEntry = () => ({ definition: "", include: "", exclude: "", examples: [] });

export class Codebook {
  /** @param {Pane} pane */
  constructor(pane) {
    this.pane = pane;
    /** @type {Record<number, CodebookEntry>} */
    this.entries = {};
    /** @type {number} */
    this.topic = -1; // the open entry's
  }

  /** @param {number | null} topic null: the first one that the open text's label permits */
  async open(topic) {
    const { pane } = this;
    const answer = await this.fetch();
    if (answer.error !== undefined) return pane.showError(answer.error);
    this.entries = answer.codebook;
    this.topic = topic ?? pane.labels.draft.permitted[0] ?? pane.view.topics[0]?.id ?? -1;
    this.draw();
  }

  /** The entry that another page asks for, if it does. */
  async openRequested() {
    const topic = takeRequestedEntry();
    if (topic !== null) await this.open(topic);
  }

  fetch() {
    const { server, data } = this.pane;
    return server.get("api/codebook", new URLSearchParams({ project: String(data.project) }));
  }

  entry(topic = this.topic) {
    return this.entries[topic] || emptyEntry();
  }

  draw() {
    const { topics } = this.pane.view;
    const current = topics.find((topic) => topic.id === this.topic);
    const list = h("nav", { class: "chapters", "aria-label": "Topics" }, topics.map((topic) =>
      h("button", {
        type: "button", "data-k": `w${topic.id}`, style: { "--c": topic.colour }, "aria-current": topic.id === this.topic ? "true" : null,
        on: { click: () => this.turnTo(topic.id) },
      }, h("b", {}), h("span", {}, topic.name), this.entries[topic.id] ? null : h("small", {}, "empty"))));
    const body = current ? this.drawEntry(current) : h("p", { class: "empty" }, "Name a topic first; then say here what it means.");
    this.pane.dialog.show("Codebook", h("div", { class: "codebook" }, list, body), {
      wide: true, onClose: () => this.pane.refresh(), keys: { b: () => this.pane.dialog.close() },
    });
  }

  /** @param {number} topic */
  turnTo(topic) {
    this.pane.jobs.enqueue(() => {
      this.topic = topic;
      this.draw();
    });
  }

  /** @param {Topic} topic */
  drawEntry(topic) {
    const entry = this.entry();
    const fields = FIELDS.map(([name, label, hint]) => {
      const area = h("textarea", { rows: name === "definition" ? 3 : 2, maxlength: 4000, placeholder: hint, "data-k": `w-${name}` });
      area.value = entry[name];
      area.addEventListener("change", () => this.save({ [name]: area.value }));
      return h("label", {}, h("span", {}, label), area);
    });
    const search = (/** @type {string} */ words) => () => this.pane.jobs.enqueue(() => {
      this.pane.dialog.close();
      return this.pane.search.searchFor(words);
    });
    return h("section", { class: "entry", "aria-label": topic.name },
      h("h3", { style: { "--c": topic.colour } }, h("b", {}), topic.name, h("small", {}, topic.words.join(" · "))),
      fields,
      this.drawExamples(entry),
      h("div", { class: "actions" },
        h("button", { type: "button", "data-k": "w-texts", on: { click: search(`topic:"${topic.name.replaceAll('"', "")}"`) } }, "Texts the model puts here"),
        h("button", { type: "button", "data-k": "w-labels", on: { click: search(`label:"${topic.name.replaceAll('"', "")}"`) } }, "Texts labelled with it")));
  }

  /** @param {CodebookEntry} entry */
  drawExamples(entry) {
    const { card } = this.pane.view;
    const isNew = card && !entry.examples.some((row) => row.position === card.position);
    const rows = entry.examples.map((row) => h("li", {},
      h("button", { type: "button", class: "example", "data-k": `x${row.position}`, on: { click: () => this.openText(row.position) } }, h("em", {}, `#${row.id}`), " ", row.snippet),
      h("button", {
        type: "button", class: "drop", "data-k": `y${row.position}`, "aria-label": `Remove example #${row.id}`,
        on: { click: () => this.save({ examples: this.positions().filter((each) => each !== row.position) }) },
      }, "Remove")));
    return h("div", { class: "examples" }, h("span", {}, "Examples"), rows.length ? h("ul", {}, rows) : h("p", { class: "empty" }, "No example yet."),
      isNew ? h("button", { type: "button", class: "plus", "data-k": "w-add", on: { click: () => this.save({ examples: [...this.positions(), card.position] }) } },
        `Add the open text (#${card.id})`) : null);
  }

  positions() {
    return this.entry().examples.map((row) => row.position);
  }

  /** @param {number} position */
  openText(position) {
    this.pane.jobs.enqueue(() => {
      this.pane.dialog.close();
      return this.pane.navigation.open(position);
    });
  }

  /** @param {{ definition?: string, include?: string, exclude?: string, examples?: number[] }} changes */
  save(changes) {
    const { pane, topic } = this;
    return pane.jobs.enqueue(async () => {
      const { definition, include, exclude, examples: rows } = this.entry(topic);
      const examples = rows.map((row) => row.position);
      const answer = await pane.send({ kind: "edit_codebook", topic, definition, include, exclude, examples, ...changes });
      if (answer.error !== undefined) return pane.showError(answer.error);
      pane.takeAnswer(answer, { keepCard: true });
      this.entries = (await this.fetch()).codebook || this.entries;
      if ("examples" in changes && pane.dialog.shown) this.draw();
    });
  }
}
