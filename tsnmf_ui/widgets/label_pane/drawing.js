// Drawing the pane: every panel from the view, with focus and scroll kept.

const Drawing = {
  draw() {
    this.keepingFocus(() => {
      this.drawText();
      this.drawAround();
    });
  },

  // What a reader waits for: the text, and the topics to choose from.
  drawText() {
    this.since = 0;
    const { act } = this;
    this.acts = {
      permit: act((topic) => this.permit(topic)),
      forbid: act((topic) => this.forbid(topic)),
      confidence: act((level) => this.setConfidence(level)),
      adopt: act((found) => this.fill("topic", found)),
      explain: act((topic) => this.codebook.open(topic)),
    };
    this.swap("card", this.drawCard());
    this.swap("topics", drawTopics(this));
    this.placeForm();
  },

  drawAround() {
    const { act } = this;
    const queue = this.view.list.kind === "queue";
    this.swap("about", drawAbout(this.view));
    this.swap("modes", drawModes(this.data.modes, queue ? this.place.mode : "", act((mode) => this.setMode(mode))));
    this.swap("queue", drawQueue(this));
    this.drawLine();
    const rows = [...this.find("queue").querySelectorAll(".row")];
    const here = rows.findIndex((row) => row.classList.contains("here"));
    if (here > 6) rows[here].scrollIntoView({ block: "nearest" }); // asking costs a layout
  },

  keepingFocus(draw) {
    const field = this.root.activeElement;
    const focused = field && field.dataset.k;
    draw();
    const lost = focused && !this.sheet.shown && this.root.activeElement !== field;
    const again = lost && this.root.querySelector(`[data-k="${CSS.escape(focused)}"]`);
    if (again) again.focus({ preventScroll: true });
  },

  swap(id, children) {
    this.swapping = true;
    patch(this.find(id), children);
    this.swapping = false;
  },

  drawCard() {
    const { act, view: { card } } = this;
    if (!card) return [h("div", { class: "done" }, ...this.drawDone())];
    const unfold = act(() => this.unfold());
    const button = (key, name, job, kind = "") =>
      h("button", { type: "button", class: kind, "data-k": `b-${key}`, on: { click: act(job) } }, name, h("kbd", {}, key));
    return [
      drawMeta(this.view),
      drawReading(this.view),
      h("article", { class: "body", tabindex: "0", "data-k": "body", "data-document": card.position },
        h("div", { class: "text" }, drawText(this.view, card.pieces, !this.unfolded, unfold)),
        drawFold(card, !this.unfolded, unfold),
        card.cut && this.unfolded ? h("p", { class: "empty" }, `The last ${number(card.cut)} characters are not shown.`) : null,
        card.note ? h("p", { class: "note" }, card.note) : null,
        drawEarlier(this.view)),
      drawSaid(this.view),
      this.formPlace("note"),
      h("div", { class: "acts" },
        button("S", "Skip", () => this.skip()),
        button("X", "Nothing fits", () => this.nothingFits(), this.draft.nothing_fits ? "on" : ""),
        button("T", "New topic", () => this.fill("topic")),
        button("N", "Note", () => this.fill("note")),
        h("button", { type: "button", class: "save", "data-k": "b-save", on: { click: act(() => this.next()) } }, "Save and next",
          h("kbd", { "aria-hidden": "true" }, "↵"))),
    ];
  },

  drawDone() {
    const { documents, labelled } = this.view.project;
    if (this.view.list.kind !== "queue") return [h("b", {}, this.view.problem || "No text matches."), h("p", {}, "Press Escape to go back to the queue.")];
    if (labelled >= documents) return [h("b", {}, "Every text is labelled."), h("p", {}, "See what came of it under Topics and Scores, or press ← to look at a text again.")];
    return [h("b", {}, "Nothing is waiting here."), h("p", {}, "Choose another order above, or search for words.")];
  },

  drawLine() {
    const parts = this.trouble ? [h("span", { class: "bad" }, this.trouble)]
      : this.notice ? [h("span", { class: "notice" }, this.notice)]
      : this.keys.prefix ? [h("span", { class: "notice" }, `${this.keys.prefix} … second key of the topic`)]
      : lineParts(this.view, this.fit, { cancel: () => this.link.cancel(), diff: () => this.link.enqueue(() => this.changes.open()) });
    const button = (name, key, title, job) => h("button", {
      type: "button", class: "keys", "data-k": `l-${name}`, title, on: { click: this.act(job) },
    }, name, key ? h("kbd", {}, key) : null);
    this.swap("line", [h("div", {}, parts.filter(Boolean)), h("nav", { "aria-label": "Steps" },
      button("Back", "", "The text before (←)", () => this.goBack()),
      button("Undo", "", "Take back the last act (Ctrl+Z)", () => this.turn("undo")),
      button("Redo", "", "Bring it back (Ctrl+Shift+Z)", () => this.turn("redo")),
      button("Keys ", "?", "All keys", () => this.help()))]);
  },
};
