// @ts-check
// One modal dialog at a time: keys, codebook, bulk label, what a refit changed, a conflict.

/** @import { Child } from "./types.js" */

import { h } from "./element.js";
import { patch } from "./patch.js";

/** @typedef {Record<string, () => void>} KeyActions what keys mean while the dialog is open, by name */

export class Dialog {
  /** @param {HTMLDialogElement} element */
  constructor(element) {
    this.element = element;
    /** @type {KeyActions} */
    this.keys = {};
    /** @type {(() => void) | null} */
    this.onClose = null;
    element.addEventListener("click", (event) => event.target === element && this.close()); // beside it
    element.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.close();
    });
  }

  get shown() {
    return this.element.open;
  }

  /**
   * Show, or draw anew; focus stays where it was. With `keep`, elements that are as they were stay,
   * so that a click during which the dialog is drawn anew still finds its button.
   * @param {string} title
   * @param {Child} children
   * @param {{ keys?: KeyActions, onClose?: (() => void) | null, wide?: boolean, keep?: boolean }} [options]
   */
  show(title, children, { keys = {}, onClose = null, wide = false, keep = false } = {}) {
    const keeps = keep && this.shown;
    const field = this.shown && !keeps ? /** @type {HTMLElement | null} */ (this.element.querySelector(":focus")) : null;
    const focused = field?.dataset.k;
    this.keys = keys;
    this.onClose = onClose;
    this.element.setAttribute("aria-label", title);
    const heading = h("h2", {}, title, h("button", { type: "button", "data-k": "close", on: { click: () => this.close() } }, "Close ", h("kbd", {}, "Esc")));
    const sheet = h("div", { class: wide ? "sheet wide" : "sheet" }, heading, children);
    if (keeps) return patch(this.element, [sheet]);
    this.element.replaceChildren(sheet);
    if (!this.shown) this.element.showModal(); // in the top layer: the navigation is dimmed too
    const wanted = focused ? `[data-k="${CSS.escape(focused)}"]` : "[autofocus], [data-k=close]";
    const target = this.element.querySelector(wanted) || this.element.querySelector("[data-k=close]");
    /** @type {HTMLElement} */ (target).focus();
  }

  close() {
    if (!this.shown) return;
    const { onClose } = this;
    this.onClose = null;
    this.element.close();
    this.element.replaceChildren();
    if (onClose) onClose();
  }
}
