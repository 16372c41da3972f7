// @ts-check
// The list on the left: what comes next, what was found, or what somebody chose. It grows as it
// is scrolled; the server hands out one stretch at a time.

/** @import { ListView, Row, View } from "./types.js" */
/** @import { Pane } from "./pane.js" */

import { AssignList } from "./assign.js";
import { h } from "./element.js";
import { number, plural } from "./format.js";
import { formSlot, openForm } from "./forms.js";

export const ROWS_PER_ANSWER = 30; // rows the server sends at a time

/** @param {View} view @param {Row} row @param {number | null} here @param {(position: number) => void} open @param {boolean} [reached] by Tab: one row is, the arrows go on from it */
export function drawRow(view, row, here, open, reached = true) {
  const current = row.position === here;
  const queue = view.list.kind === "queue";
  const dots = row.labels.flatMap((id) => view.topics.filter((topic) => topic.id === id));
  const state = row.nothing ? "nothing fits" : row.skipped ? "skipped" : "";
  return h("li", { "data-row": row.position }, h("button", {
    type: "button", class: current ? "row here" : "row", "data-k": `q-${row.position}`,
    "aria-current": current ? "true" : null, tabindex: reached ? null : "-1", on: { click: () => open(row.position) },
  },
    h("strong", {}, h("em", {}, queue ? row.reason : `#${row.id}`), !queue && row.reason ? h("i", {}, row.reason) : null,
      state ? h("i", {}, state) : null,
      dots.length ? h("span", { class: "dots", title: dots.map((topic) => topic.name).join(", "), "aria-label": `labelled ${dots.map((topic) => topic.name).join(", ")}` },
        dots.slice(0, 4).map((topic) => h("b", { style: { background: topic.colour } }))) : null),
    h("span", { class: "snippet" }, row.snippet)));
}

/** @param {number} left texts assigned to the person */
const assignedPart = (left) => (left ? h("span", { title: "They come first in your queue" }, `${number(left)} assigned to you`) : null);

/** @param {Pane} pane */
export function drawList(pane) {
  const { queued, view } = pane;
  const here = view.card && view.card.position;
  const queue = view.list.kind === "queue";
  const open = queued((position) => pane.navigation.open(position));
  const first = view.queue.some((row) => row.position === here) ? here : view.queue[0]?.position;
  const rows = view.queue.map((row) => drawRow(view, row, here, open, row.position === first));
  const some = !queue && view.waiting > 0;
  const saved = view.list.kind === "saved";
  const count = saved ? `${number(view.waiting)} left` : view.list.kind === "selection" ? plural(view.waiting, "text") : plural(view.waiting, "match", "matches");
  const empty = view.problem || (queue ? "Nothing is waiting." : saved ? "Nothing is left of this search." : "No text matches.");
  return [
    h("h2", {}, h("em", { title: view.list.title }, view.list.title), queue ? assignedPart(view.project.assigned) : h("span", {}, count)),
    !queue ? h("div", { class: "whole" },
      some ? h("button", { type: "button", class: "all", "data-k": "all", on: { click: queued(() => pane.bulk.open()) } }, `Label all ${number(view.waiting)}…`, h("kbd", {}, "A")) : null,
      some ? h("button", { type: "button", "data-k": "assign", title: "Give them to a person to label", on: { click: queued(() => new AssignList(pane).open()) } }, "Assign…", h("kbd", {}, "G")) : null,
      view.list.kind === "search" && some ? h("button", { type: "button", "data-k": "save-search", title: "Keep this search under a name, as a queue of what is left of it", on: { click: queued(() => openForm(pane, "search")) } }, "Save search…") : null,
      saved ? null : h("button", { type: "button", "data-k": "leave", on: { click: queued(() => pane.search.leave()) } }, "Back to the queue")) : null,
    formSlot(pane.form, "search"),
    view.list.note ? h("p", { class: "by" }, view.list.note) : null,
    rows.length ? h("ol", { class: "rows" }, rows) : h("p", { class: view.problem ? "empty problem" : "empty" }, empty),
  ];
}

/**
 * The part of a view that is the list.
 * @param {ListView} view
 * @returns {ListView}
 */
export const listOf = ({ queue, offset, waiting, list, search, documents, problem }) => ({ queue, offset, waiting, list, search, documents, problem });

/**
 * Rows that were scrolled to stay when an answer brings the first stretch anew.
 * @param {ListView} answer @param {ListView} before
 */
export function withScrolledRows(answer, before) {
  if (before.queue.length <= ROWS_PER_ANSWER) return answer.queue;
  const had = new Set(answer.queue.map((row) => row.position));
  return [...answer.queue, ...before.queue.slice(ROWS_PER_ANSWER).filter((row) => !had.has(row.position))];
}
