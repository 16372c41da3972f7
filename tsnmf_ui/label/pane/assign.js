// @ts-check
// Give all texts of a list to a person to label. One undo takes it back.

/** @import { Pane } from "./pane.js" */

import { h } from "./element.js";
import { plural } from "./format.js";

export class AssignList {
  /** @param {Pane} pane */
  constructor(pane) {
    this.pane = pane;
  }

  open() {
    const { pane } = this;
    const { view } = pane;
    if (view.list.kind === "queue" || !view.waiting)
      return pane.showNotice("Search for texts first, or choose a topic or a selection; then G assigns them all.");
    if (!pane.data.named) return pane.showNotice("Say your name first: on the History page, at the top.");
    const field = h("input", { type: "text", maxlength: 80, autofocus: true, "aria-label": "Person", placeholder: "Name, as they gave it here", "data-k": "g-person" });
    const give = () => this.give(field.value.trim());
    field.addEventListener("keydown", (event) => event.key === "Enter" && give());
    pane.dialog.show(`Assign ${plural(view.waiting, "text")}`, [
      h("p", { class: "lead" }, "They come first in this person’s queue, and no longer in that of others."),
      h("div", { class: "form" }, field,
        h("small", {}, this.known().map((name) => h("button", { type: "button", "data-k": `g-${name}`, on: { click: () => this.give(name) } }, name)))),
      h("div", { class: "actions" },
        h("button", { type: "button", "data-k": "g-no", on: { click: () => pane.dialog.close() } }, "Cancel"),
        h("button", { type: "button", class: "save", "data-k": "g-yes", on: { click: give } }, "Assign")),
    ]);
  }

  /** People who have texts already, and oneself. */
  known() {
    const { data, view } = this.pane;
    return [...new Set([data.author, ...view.people])];
  }

  /** @param {string} person */
  give(person) {
    const { pane } = this;
    if (!person) return;
    pane.dialog.close();
    pane.jobs.enqueue(async () => pane.takeAnswer(await pane.send({ kind: "assign", person }), { keepCard: true }));
  }
}
