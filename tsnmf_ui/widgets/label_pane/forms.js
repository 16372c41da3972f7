// Two small forms: the name of a new topic, and a note on a text. A refit may draw the pane anew
// while somebody types: a form is made once and stays, or later keys would be taken for acts.

const Forms = {
  formPlace(kind) {
    return this.form && this.form.kind === kind ? h("div", { "data-own": kind }) : null;
  },

  placeForm() {
    const place = this.form && this.root.querySelector("[data-own]");
    if (!place) return;
    const { form } = this;
    form.element ||= form.kind === "topic" ? this.makeTopicForm(form) : this.makeNoteForm(form);
    if (place.firstChild !== form.element) place.replaceChildren(form.element);
  },

  makeTopicForm({ found }) {
    const suggestion = found ? found.words.slice(0, 2).join(" and ").replace(/^./, (c) => c.toUpperCase()) : "";
    const input = h("input", { type: "text", maxlength: 120, value: suggestion, "aria-label": "Name of the new topic", placeholder: "Name of the new topic", "data-k": "f-topic" });
    const make = () => {
      const name = input.value.trim();
      if (name) this.link.enqueue(() => this.createTopic(name, found && { run: found.run, topic: found.topic }));
    };
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") make();
      if (event.key === "Escape") this.link.enqueue(() => this.escape());
    });
    return h("div", { class: "form" }, input,
      h("small", {}, found ? "Enter adopts it, Escape leaves it." : "Enter makes it and permits it in this text.",
        h("button", { type: "button", "data-k": "f-make", on: { click: make } }, found ? "Adopt" : "Create")));
  },

  makeNoteForm(form) {
    const area = h("textarea", { rows: 2, maxlength: 4000, "aria-label": "Note on this text", placeholder: "A note on this text", "data-k": "f-note" });
    area.value = this.draft.note;
    const save = () => {
      const note = area.value.trim();
      if (this.form !== form) return;
      this.form = null;
      this.link.enqueue(() => (note === this.draft.note ? this.draw() : this.label({ note })));
    };
    area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        save();
      }
    });
    area.addEventListener("blur", () => this.swapping || save()); // not when it is only drawn anew
    return h("div", { class: "form" }, area, h("small", {}, "Enter saves, Shift+Enter starts a new line."));
  },
};
