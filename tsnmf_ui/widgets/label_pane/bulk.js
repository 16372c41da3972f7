// One label for a whole list. The preview says what would happen before it does; one undo takes
// it all back.

class Bulk {
  constructor(pane) {
    this.pane = pane;
  }

  open() {
    const { view } = this.pane;
    if (view.list.kind === "queue" || !view.waiting) {
      this.pane.say("Search for texts first, or choose a topic or a selection; then A labels them all.");
      return;
    }
    const topic = /^topic:"?([^"]+?)"?$/.exec(this.pane.place.search.trim());
    const named = topic && view.topics.find((each) => each.name.toLowerCase() === topic[1].toLowerCase());
    this.ask = { permitted: named ? [named.id] : [], forbidden: [], confidence: "sure", nothing_fits: false, labelled: "leave", limit: null };
    this.result = null;
    this.draw();
    return this.preview();
  }

  get says() {
    const { permitted, forbidden, nothing_fits } = this.ask;
    return permitted.length || forbidden.length || nothing_fits;
  }

  change(changes) {
    Object.assign(this.ask, changes);
    this.draw();
    this.pane.link.enqueue(() => this.preview());
  }

  async preview() {
    const { pane } = this;
    const asked = JSON.stringify(this.ask);
    const { mode, search, documents } = pane.place;
    const answer = await pane.link.post("api/preview", { mode, search, documents, ask: { ...this.ask } });
    if (!pane.sheet.shown || asked !== JSON.stringify(this.ask)) return;
    this.problem = answer.error;
    this.result = answer.error === undefined ? answer : null;
    this.draw();
  }

  toggle(list, other, topic) {
    const chosen = this.ask[list].includes(topic);
    this.change({
      [list]: chosen ? this.ask[list].filter((each) => each !== topic) : [...this.ask[list], topic],
      [other]: this.ask[other].filter((each) => each !== topic), nothing_fits: list === "permitted" ? false : this.ask.nothing_fits,
    });
  }

  draw() {
    const { view } = this.pane;
    const { result, ask } = this;
    const ready = result && result.count > 0 && this.says;
    const count = result ? plural(result.count, "text") : "…";
    this.pane.sheet.show(`Label ${plural(view.waiting, "text")}: ${view.list.kind === "selection" ? view.list.title : this.pane.place.search}`, [
      h("div", { class: "bulk" },
        h("section", { "aria-label": "The label" }, this.drawTopics(), this.drawOptions()),
        h("section", { class: "preview", "aria-label": "What will happen", "aria-live": "polite" }, this.drawPreview())),
      h("div", { class: "acts" },
        h("button", { type: "button", "data-k": "bulk-no", on: { click: () => this.pane.sheet.close() } }, "Cancel"),
        h("button", { type: "button", class: "save", "data-k": "bulk-yes", disabled: !ready, on: { click: () => this.apply() } }, ready ? `Label ${count}` : "Choose a topic")),
    ], { wide: true, keys: ask ? {} : {} });
  }

  drawTopics() {
    const { view } = this.pane;
    return h("ul", { class: "choices" }, view.topics.map((topic) => {
      const on = this.ask.permitted.includes(topic.id), off = this.ask.forbidden.includes(topic.id);
      return h("li", { class: `topic${on ? " on" : ""}${off ? " off" : ""}`, style: { "--c": topic.colour, "--share": "0%" } },
        h("button", { type: "button", class: "pick", "data-k": `bp${topic.id}`, "aria-pressed": String(on), "aria-label": `${topic.name}, permitted in all`, on: { click: () => this.toggle("permitted", "forbidden", topic.id) } },
          h("span", { class: "name" }, topic.name)),
        h("button", { type: "button", class: "not", "data-k": `bn${topic.id}`, "aria-pressed": String(off), "aria-label": `${topic.name}, not permitted in any`, on: { click: () => this.toggle("forbidden", "permitted", topic.id) } }, "not"));
    }));
  }

  drawOptions() {
    const { ask } = this;
    const choice = (name, value, label) => h("button", {
      type: "button", role: "radio", "data-k": `b-${name}-${value}`, "aria-checked": String(ask[name] === value), on: { click: () => this.change({ [name]: value }) },
    }, label);
    const limit = h("input", { type: "number", min: 1, step: 1, placeholder: "all", "aria-label": "Only the first", "data-k": "b-limit", value: ask.limit });
    limit.addEventListener("change", () => this.change({ limit: limit.value ? Math.max(1, Math.round(Number(limit.value))) : null }));
    return h("div", { class: "options" },
      h("label", {}, h("input", { type: "checkbox", "data-k": "b-nothing", checked: ask.nothing_fits, on: { change: () => this.change({ nothing_fits: !ask.nothing_fits, permitted: [] }) } }), " Nothing fits"),
      h("div", { class: "confidence", role: "radiogroup", "aria-label": "How sure are you?" }, choice("confidence", "sure", "Sure"), choice("confidence", "unsure", "Unsure"), choice("confidence", "expert", "Expert")),
      h("div", { class: "confidence", role: "radiogroup", "aria-label": "Texts that are labelled already" }, choice("labelled", "leave", "Leave labelled texts"), choice("labelled", "replace", "Replace labels")),
      h("label", { class: "limit" }, "Only the first ", limit, " texts, as listed"));
  }

  drawPreview() {
    const { result, problem } = this;
    const { view } = this.pane;
    if (problem) return h("p", { class: "empty problem" }, problem);
    if (!result) return h("p", { class: "empty" }, "Looking…");
    const named = (row) => (row.nothing ? "nothing fits" : row.labels.map((id) => (view.topics.find((topic) => topic.id === id) || { name: "?" }).name).join(", ")) || "only ruled out topics";
    const sample = (rows, told) => h("ul", { class: "sample" }, rows.map((row) => h("li", {}, h("em", {}, `#${row.id}`), told ? h("b", {}, told(row)) : null, " ", row.snippet)));
    const authors = result.authors.map(([author, n]) => `${number(n)} by ${author}`).join(", ");
    return [
      h("p", { class: "sum" }, h("b", {}, plural(result.count, "text")), result.count === 1 ? " gets" : " get", " this label."),
      result.left ? h("p", {}, `${plural(result.left, "labelled text")} ${result.left === 1 ? "stays as it is" : "stay as they are"}.`) : null,
      result.same ? h("p", {}, `${plural(result.same, "text has", "texts have")} this label already.`) : null,
      result.replaced ? [h("p", { class: "bad" }, `${plural(result.replaced, "label is", "labels are")} replaced: ${authors}.`), sample(result.replaced_sample, (row) => ` now ${named(row)}`)] : null,
      result.sample.length ? [h("p", {}, "For example:"), sample(result.sample)] : null,
    ];
  }

  apply() {
    const { pane, result, ask } = this;
    pane.sheet.close();
    pane.link.enqueue(async () => pane.take(await pane.send({ kind: "bulk", key: result.key, ...ask }), { keepCard: true }));
  }
}
