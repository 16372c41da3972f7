// One sheet above the page at a time: keys, codebook, bulk label, what a refit changed, a conflict.

class Sheet {
  constructor(pane) {
    this.pane = pane;
    this.element = pane.find("veil");
    this.element.addEventListener("click", (event) => event.target === this.element && this.close());
    this.element.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.close();
    });
  }

  get shown() {
    return this.element.open;
  }

  // keys: what keys mean while it is open, by name. leaving: called when it closes.
  show(name, children, { keys = {}, leaving = null, wide = false } = {}) {
    const focused = this.shown && this.element.querySelector(":focus")?.dataset.k;
    this.keys = keys;
    this.leaving = leaving;
    this.element.setAttribute("aria-label", name);
    const title = h("h2", {}, name, h("button", { type: "button", "data-k": "close", on: { click: () => this.close() } }, "Close ", h("kbd", {}, "Esc")));
    this.element.replaceChildren(h("div", { class: wide ? "sheet wide" : "sheet" }, title, children));
    if (!this.shown) this.element.showModal(); // in the top layer: the navigation is dimmed too
    const wanted = focused ? `[data-k="${CSS.escape(focused)}"]` : "[autofocus], [data-k=close]";
    (this.element.querySelector(wanted) || this.element.querySelector("[data-k=close]")).focus();
  }

  close() {
    if (!this.shown) return;
    const { leaving } = this;
    this.leaving = null;
    this.element.close();
    this.element.replaceChildren();
    if (leaving) leaving();
  }
}

const HELP = [
  ["1 … 9", "allow a topic, or take it back"], ["0 1, 0 a …", "from the tenth topic on"],
  ["Alt + key", "forbid a topic"], ["Enter", "save and next"], ["S", "skip for now"],
  ["X", "nothing fits"], ["T", "new topic from this text"], ["N", "note"], ["E", "sure, unsure, expert"],
  ["B", "codebook: what topics mean"], ["← →", "back and forward"], ["↑ ↓", "through the list"],
  ["Space", "unfold a long text"], ["Ctrl + Z", "undo"], ["Ctrl + Shift + Z", "redo"], ["/", "search"],
  ["A", "label all texts of the list"], ["D", "what the last refit changed"], ["M", "next order of the queue"], ["?", "this help"],
];

function drawHelp(obeys) {
  return [
    h("dl", { class: "keylist" }, HELP.map(([keys, what]) => [h("dt", {}, keys.split(/ (?=[+…])|(?<=[+…]) /).map((key) =>
      /^[+…]$/.test(key) ? ` ${key} ` : h("kbd", {}, key))), h("dd", {}, what)])),
    h("p", { class: "fine" }, "In the search: words, “phrases”, topic: label: score: date: is: author: id: not:, and − to turn a part around."),
    h("p", { class: "fine" }, obeys
      ? "A labelled text may use only the topics you allow. The model obeys to the letter, and rereads every other text in that light."
      : "To the model chosen for this project labels are not binding. A topic shows its share where the model has found one that matches it."),
  ];
}
