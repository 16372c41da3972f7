// @ts-check
// Small forms: the name of a new topic or of one to find, a note on a text, the name of a saved search. A refit may draw the pane anew
// while somebody types: a form is made once and stays, or later keys would be taken for shortcuts.

/** @import { FreeTopic, TopicForm } from "./types.js" */
/** @import { Pane } from "./pane.js" */

import { h } from "./element.js";
import { capitalised } from "./format.js";
import { topicsNamed } from "./topic_list.js";

/**
 * Where a form is to stand, if it is the open one.
 * @param {TopicForm | null} form @param {TopicForm["kind"]} kind
 */
export const formSlot = (form, kind) => (form?.kind === kind ? h("div", { "data-own": kind }) : null);

/**
 * Open a form and go to its field.
 * @param {Pane} pane
 * @param {TopicForm["kind"]} kind
 * @param {FreeTopic} [free] the free topic that gets a name
 */
export function openForm(pane, kind, free) {
  if ((kind === "note" || kind === "find") && !pane.view.card) return;
  pane.form = { kind, free };
  pane.draw();
  const field = /** @type {HTMLInputElement | null} */ (pane.root.querySelector(".form input, .form textarea"));
  field?.focus();
  field?.select();
}

/**
 * Leave the name of a search; the search stays.
 * @param {Pane} pane
 * @returns {boolean} whether it was open
 */
export function closeSearchForm(pane) {
  if (pane.form?.kind !== "search") return false;
  pane.form = null;
  pane.draw();
  return true;
}

/**
 * Put the open form into its slot.
 * @param {Pane} pane
 */
export function mountForm(pane) {
  const { form } = pane;
  const slot = form && pane.root.querySelector("[data-own]");
  if (!slot) return;
  form.element ||= { topic: makeTopicForm, find: makeFindForm, note: makeNoteForm, search: makeSearchForm }[form.kind](pane, form);
  if (slot.firstChild !== form.element) slot.replaceChildren(form.element);
}

/** @param {Pane} pane @param {TopicForm} form */
function makeTopicForm(pane, { free }) {
  const suggestion = free ? capitalised(free.words.slice(0, 2).join(" and ")) : "";
  const input = h("input", { type: "text", maxlength: 120, value: suggestion, "aria-label": "Name of the new topic", placeholder: "Name of the new topic", "data-k": "f-topic" });
  const make = () => {
    const name = input.value.trim();
    if (name) pane.jobs.enqueue(() => pane.labels.createTopic(name, free && { run: free.run, topic: free.topic, key: free.key }));
  };
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") make();
    if (event.key === "Escape") pane.jobs.enqueue(() => pane.escape());
  });
  return h("div", { class: "form" }, input,
    h("small", {}, free ? "Enter adopts it, Escape leaves it." : "Enter creates it and allows it in this text.",
      h("button", { type: "button", "data-k": "f-make", on: { click: make } }, free ? "Adopt" : "Create")));
}

/** @param {Pane} pane @param {TopicForm} form */
function makeFindForm(pane, form) {
  const input = h("input", { type: "text", maxlength: 120, "aria-label": "Find a topic", placeholder: "Find a topic", "data-k": "f-find" });
  const close = () => {
    pane.form = null;
    pane.draw();
  };
  const choose = () => {
    const [first] = topicsNamed(pane.view.topics, input.value);
    pane.jobs.enqueue(() => (first && input.value.trim() ? pane.labels.permitKnown(first.id) : close()));
  };
  input.addEventListener("input", () => {
    form.text = input.value;
    pane.draw();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") choose();
    if (event.key === "Escape") pane.jobs.enqueue(close);
  });
  return h("div", { class: "form" }, input, h("small", {}, "Enter allows the first one in this text, Escape leaves the list."));
}

/** @param {Pane} pane */
function makeSearchForm(pane) {
  const { search } = pane.place;
  const input = h("input", { type: "text", maxlength: 120, value: search.slice(0, 120), "aria-label": "Name of the saved search", placeholder: "Name of the saved search", "data-k": "f-search" });
  const save = () => {
    const name = input.value.trim();
    if (name) pane.jobs.enqueue(() => pane.saved.save(name, search));
  };
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") save();
    if (event.key === "Escape") pane.jobs.enqueue(() => closeSearchForm(pane));
  });
  return h("div", { class: "form" }, input,
    h("small", {}, "A queue of what is left of it.", h("button", { type: "button", "data-k": "f-save", on: { click: save } }, "Save")));
}

/** @param {Pane} pane @param {TopicForm} form */
function makeNoteForm(pane, form) {
  const area = h("textarea", { rows: 2, maxlength: 4000, "aria-label": "Note on this text", placeholder: "A note on this text", "data-k": "f-note" });
  area.value = pane.labels.draft.note;
  const save = () => {
    const note = area.value.trim();
    if (pane.form !== form) return;
    pane.form = null;
    pane.jobs.enqueue(() => (note === pane.labels.draft.note ? pane.draw() : pane.labels.save({ note })));
  };
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      save();
    }
  });
  area.addEventListener("blur", () => pane.patching || save()); // not when it is only drawn anew
  return h("div", { class: "form" }, area, h("small", {}, "Enter saves, Shift+Enter starts a new line."));
}
