// The codebook: what each topic means, for everybody in the project. What is written is kept as
// soon as a field is left; there is nothing to forget to save.

const FIELDS = [
  ["definition", "Definition", "What is this topic about, in one or two sentences?"],
  ["include", "Belongs here", "Cases that count, also the borderline ones"],
  ["exclude", "Does not belong here", "Look-alikes, and where they go instead"],
];

class Codebook {
  constructor(pane) {
    this.pane = pane;
    this.book = {};
    this.topic = null;
  }

  async open(topic) {
    const { pane } = this;
    const answer = await pane.link.get("api/codebook", new URLSearchParams({ project: pane.data.project }));
    if (answer.error !== undefined) return pane.refuse(answer.error);
    this.book = answer.codebook;
    const first = pane.draft.permitted[0] ?? (pane.view.topics[0] || {}).id ?? null;
    this.topic = topic ?? first;
    this.draw();
  }

  entry() {
    return this.book[this.topic] || { definition: "", include: "", exclude: "", examples: [] };
  }

  draw() {
    const { topics } = this.pane.view;
    const current = topics.find((topic) => topic.id === this.topic);
    const list = h("nav", { class: "chapters", "aria-label": "Topics" }, topics.map((topic) =>
      h("button", {
        type: "button", "data-k": `w${topic.id}`, style: { "--c": topic.colour }, "aria-current": topic.id === this.topic ? "true" : null,
        on: { click: () => this.turn(topic.id) },
      }, h("b", {}), h("span", {}, topic.name), this.book[topic.id] ? null : h("small", {}, "empty"))));
    const body = current ? this.drawEntry(current) : h("p", { class: "empty" }, "Name a topic first; then say here what it means.");
    this.pane.sheet.show("Codebook", h("div", { class: "codebook" }, list, body), {
      wide: true, leaving: () => this.pane.refresh(), keys: { b: () => this.pane.sheet.close() },
    });
  }

  turn(topic) {
    this.pane.link.enqueue(() => {
      this.topic = topic;
      this.draw();
    });
  }

  drawEntry(topic) {
    const entry = this.entry();
    const fields = FIELDS.map(([name, label, hint]) => {
      const area = h("textarea", { rows: name === "definition" ? 3 : 2, maxlength: 4000, placeholder: hint, "data-k": `w-${name}` });
      area.value = entry[name];
      area.addEventListener("change", () => this.save({ [name]: area.value }));
      return h("label", {}, h("span", {}, label), area);
    });
    const ask = (words) => () => this.pane.link.enqueue(() => {
      this.pane.sheet.close();
      return this.pane.finder.ask(words);
    });
    return h("section", { class: "entry", "aria-label": topic.name },
      h("h3", { style: { "--c": topic.colour } }, h("b", {}), topic.name, h("small", {}, topic.words.join(" · "))),
      fields,
      this.drawExamples(entry),
      h("div", { class: "acts" },
        h("button", { type: "button", "data-k": "w-texts", on: { click: ask(`topic:"${topic.name.replaceAll('"', "")}"`) } }, "Texts the model puts here"),
        h("button", { type: "button", "data-k": "w-labels", on: { click: ask(`label:"${topic.name.replaceAll('"', "")}"`) } }, "Texts labelled with it")));
  }

  drawExamples(entry) {
    const { card } = this.pane.view;
    const here = card && !entry.examples.some((row) => row.position === card.position);
    const rows = entry.examples.map((row) => h("li", {},
      h("button", { type: "button", class: "example", "data-k": `x${row.position}`, on: { click: () => this.go(row.position) } }, h("em", {}, `#${row.id}`), " ", row.snippet),
      h("button", {
        type: "button", class: "drop", "data-k": `y${row.position}`, "aria-label": `Remove example #${row.id}`,
        on: { click: () => this.save({ examples: this.positions().filter((each) => each !== row.position) }) },
      }, "Remove")));
    return h("div", { class: "examples" }, h("span", {}, "Examples"), rows.length ? h("ul", {}, rows) : h("p", { class: "empty" }, "No example yet."),
      here ? h("button", { type: "button", class: "plus", "data-k": "w-add", on: { click: () => this.save({ examples: [...this.positions(), card.position] }) } },
        `Add the open text (#${card.id})`) : null);
  }

  positions() {
    return this.entry().examples.map((row) => row.position);
  }

  go(position) {
    this.pane.link.enqueue(() => {
      this.pane.sheet.close();
      return this.pane.open(position);
    });
  }

  save(changes) {
    const { pane, topic } = this;
    return pane.link.enqueue(async () => {
      const { definition, include, exclude } = this.book[topic] || { definition: "", include: "", exclude: "" };
      const examples = (this.book[topic] || { examples: [] }).examples.map((row) => row.position);
      const answer = await pane.send({ kind: "edit_codebook", topic, definition, include, exclude, examples, ...changes });
      if (answer.error !== undefined) return pane.refuse(answer.error);
      pane.take(answer, { keepCard: true });
      const told = await pane.link.get("api/codebook", new URLSearchParams({ project: pane.data.project }));
      this.book = told.codebook || this.book;
      if ("examples" in changes && pane.sheet.shown) this.draw();
    });
  }
}
