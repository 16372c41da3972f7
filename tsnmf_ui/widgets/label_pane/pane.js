// The labelling pane: what is on screen, which key does what, and in which order it happens.

class Pane {
  constructor(root, data, beg) {
    this.root = root;
    this.data = data;
    this.view = null;
    this.fit = null;
    this.confidence = "sure"; // for texts that have no label yet
    this.prefix = ""; // first key of a two-key code
    this.unfolded = false;
    this.form = null; // "topic" | "note" while one is being filled in
    this.back = [];
    this.ahead = [];
    this.notice = "";
    this.link = new Link(data, (event) => this.hear(event), (sentence) => this.warn(sentence), beg);
    this.place = this.remembered();
    this.bind();
    this.link.enqueue(async () => this.take(await this.link.show(this.place)));
  }

  find(id) {
    return this.root.querySelector(`#${id}`);
  }

  // ---- where we are: address bar first, then what this tab remembers

  remembered() {
    const query = new URLSearchParams(location.search);
    const kept = JSON.parse(sessionStorage.getItem(`desk-${this.data.project}`) || "{}");
    const asked = query.get("document") ?? kept.document;
    const mode = query.get("mode") ?? kept.mode;
    const known = this.data.modes.some(([id]) => id === mode);
    const document = /^\d{1,9}$/.test(asked ?? "") ? Number(asked) : null;
    return { mode: known ? mode : this.data.modes[0][0], search: "", document };
  }

  remember() {
    const { mode, document } = this.place;
    sessionStorage.setItem(`desk-${this.data.project}`, JSON.stringify({ mode, document: document === null ? null : String(document) }));
    const url = new URL(location.href);
    url.searchParams.set("project", this.data.project);
    url.searchParams.set("mode", mode);
    if (document === null) url.searchParams.delete("document");
    else url.searchParams.set("document", document);
    if (url.href !== location.href) history.replaceState(history.state, "", url);
  }

  // ---- answers and news from the server

  take(answer, { keepCard = false } = {}) {
    if (answer.error !== undefined) return this.refuse(answer.error);
    const before = this.view && this.view.card;
    const same = before && answer.card && before.position === answer.card.position;
    const read = same && Object.keys(before.shares).length > 0; // a first fit may still colour it
    if (read && keepCard) answer.card = { ...before, label: answer.card.label, skipped: answer.card.skipped };
    if (!same) {
      this.unfolded = false;
      this.form = null;
      this.confidence = "sure";
    }
    this.view = answer;
    this.fit = answer.fit;
    this.notice = answer.notice || "";
    this.place.document = answer.card ? answer.card.position : null;
    this.remember();
    this.draw(!same);
  }

  refuse(sentence) {
    if (!this.view && this.place.document !== null) {
      this.place.document = null; // an address that names a text that is not there
      this.link.enqueue(async () => this.take(await this.link.show(this.place)));
      return;
    }
    this.notice = sentence;
    if (this.view) this.drawLine();
  }

  warn(sentence) {
    this.trouble = sentence;
    if (this.view) this.drawLine();
  }

  hear(event) {
    if (event.type === "fit") {
      this.fit = event;
      if (this.view) this.drawLine();
      const shown = this.view && this.view.refit ? this.view.refit.run : null;
      if (event.phase === "done" && event.run !== shown) this.refresh();
    } else if (event.type === "act" && event.client !== this.link.client) this.refresh();
  }

  // Something changed elsewhere: new words, another order, a colleague's label. The text that is
  // being read stays as it is.
  refresh() {
    if (this.refreshing) return;
    this.refreshing = true;
    this.link.enqueue(async () => {
      this.refreshing = false;
      this.take(await this.link.show(this.place), { keepCard: true });
    });
  }

  // ---- acts

  get draft() {
    const said = this.view && this.view.card && this.view.card.label;
    return said || { permitted: [], forbidden: [], confidence: this.confidence, nothing_fits: false, note: "" };
  }

  async send(act) {
    const late = setTimeout(() => this.root.firstElementChild.classList.add("late"), 150);
    const answer = await this.link.act(this.place, act);
    clearTimeout(late);
    this.root.firstElementChild.classList.remove("late");
    return answer;
  }

  async label(changes) {
    const { position } = this.view.card;
    const { permitted, forbidden, confidence, nothing_fits, note } = { ...this.draft, ...changes };
    const act = { kind: "label", position, permitted, forbidden, confidence, nothing_fits, note };
    this.take(await this.send(act), { keepCard: true });
  }

  permit(topic) {
    const { permitted, forbidden } = this.draft;
    const without = permitted.filter((each) => each !== topic);
    return this.label({
      permitted: without.length < permitted.length ? without : [...permitted, topic],
      forbidden: forbidden.filter((each) => each !== topic),
      nothing_fits: false,
    });
  }

  forbid(topic) {
    const { permitted, forbidden } = this.draft;
    const without = forbidden.filter((each) => each !== topic);
    return this.label({
      forbidden: without.length < forbidden.length ? without : [...forbidden, topic],
      permitted: permitted.filter((each) => each !== topic),
    });
  }

  nothingFits() {
    return this.label({ nothing_fits: !this.draft.nothing_fits, permitted: [] });
  }

  async setConfidence(level) {
    this.confidence = level;
    if (this.view.card && this.view.card.label) await this.label({ confidence: level });
    else this.draw();
  }

  nextConfidence() {
    const levels = ["sure", "unsure", "expert"];
    return this.setConfidence(levels[(levels.indexOf(this.draft.confidence) + 1) % levels.length]);
  }

  async leave(act) {
    const from = this.view.card && this.view.card.position;
    this.take(await this.send(act));
    const to = this.view.card && this.view.card.position;
    if (from !== null && from !== to) {
      this.back.push(from);
      this.ahead = [];
    }
  }

  next() {
    const { permitted, forbidden, nothing_fits } = this.draft;
    if (!this.view.card) return;
    if (!permitted.length && !forbidden.length && !nothing_fits) {
      this.notice = "Choose at least one topic, or press S to skip this text.";
      return this.drawLine();
    }
    return this.leave({ kind: "next" });
  }

  skip() {
    if (this.view.card) return this.leave({ kind: "skip", position: this.view.card.position });
  }

  async open(position, trail = this.back) {
    const from = this.view.card && this.view.card.position;
    if (position === undefined || position === from) return;
    if (from !== null && trail) trail.push(from);
    this.place.document = position;
    this.take(await this.link.show(this.place));
  }

  goBack() {
    return this.back.length ? this.open(this.back.pop(), this.ahead) : undefined;
  }

  goForward() {
    if (this.ahead.length) return this.open(this.ahead.pop(), this.back);
    if (this.view.card) return this.leave({ kind: "next" });
  }

  step(by) {
    const places = this.view.queue.map((row) => row.position);
    const here = places.indexOf(this.view.card ? this.view.card.position : -1);
    return this.open(places[here < 0 ? 0 : here + by]);
  }

  async turn(kind) {
    this.take(await this.send({ kind }));
  }

  async createTopic(name, found) {
    const answer = await this.send({ kind: "create_topic", name, found: found || null });
    const old = new Set(this.view.topics.map((topic) => topic.id));
    this.form = null;
    this.take(answer, { keepCard: true });
    const made = answer.topics && answer.topics.find((topic) => !old.has(topic.id));
    if (made && this.view.card && !found) await this.permit(made.id);
  }

  async setMode(mode) {
    this.place = { mode, search: "", document: null };
    this.find("search").value = "";
    this.take(await this.link.show(this.place));
  }

  nextMode() {
    const modes = this.data.modes.map(([id]) => id);
    return this.setMode(modes[(modes.indexOf(this.place.mode) + 1) % modes.length]);
  }

  async search(words) {
    if (words === this.place.search) return;
    this.place = { ...this.place, search: words };
    const answer = await this.link.show(this.place);
    if (this.find("search").value.trim() === words) this.take(answer, { keepCard: true });
  }

  // ---- keys: one listener for the page, before Streamlit's own

  bind() {
    this.onKey = (event) => this.key(event);
    this.onResize = () => this.fitHeight();
    document.addEventListener("keydown", this.onKey, true);
    window.addEventListener("resize", this.onResize);
    const search = this.find("search");
    search.addEventListener("input", () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.link.enqueue(() => this.search(search.value.trim())), 160);
    });
    search.addEventListener("keydown", (event) => event.key === "Enter" && search.blur());
    this.clock = setInterval(() => this.view && this.drawLine(), 10000);
    this.root.addEventListener("click", (event) => {
      const button = event.detail > 0 && event.target.closest && event.target.closest("button");
      if (button) button.blur(); // so that Enter means “next” again, not this button
    });
    this.fitHeight();
  }

  release() {
    this.link.close();
    clearInterval(this.clock);
    document.removeEventListener("keydown", this.onKey, true);
    window.removeEventListener("resize", this.onResize);
  }

  fitHeight() {
    const desk = this.root.querySelector(".desk");
    const top = desk.getBoundingClientRect().top + window.scrollY;
    desk.style.setProperty("--height", `${Math.max(440, window.innerHeight - Math.max(top, 60) - 10)}px`);
  }

  key(event) {
    const target = event.composedPath()[0] || {};
    const typing = target.isContentEditable || target.tagName === "TEXTAREA" || target.tagName === "SELECT" ||
      (target.tagName === "INPUT" && !["checkbox", "radio", "button"].includes(target.type));
    if (event.isComposing) return;
    if (typing) {
      if (event.key === "Escape") target.blur();
      return;
    }
    if (document.querySelector('[role="dialog"]') || !this.view) return;
    const act = this.actOf(event, target);
    if (!act) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.link.enqueue(act);
  }

  // What a key means. It is looked up when pressed and done in its turn.
  actOf(event, target) {
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (this.find("veil").open) return ["Escape", "?", "Enter"].includes(key) ? () => this.help(false) : null;
    if (control) {
      if (key === "z") return () => this.turn(event.shiftKey ? "redo" : "undo");
      return key === "y" ? () => this.turn("redo") : null;
    }
    const native = target.tagName === "BUTTON" && target.matches(":focus-visible");
    if (native && (key === "Enter" || key === " ")) return null;
    const code = /^(?:Digit|Numpad)(\d)$/.exec(event.code);
    const letter = /^Key([A-Z])$/.exec(event.code);
    const plain = code && (event.altKey || event.code[0] === "N") ? code[1] : letter && event.altKey ? letter[1].toLowerCase() : key;
    if (["Alt", "Shift", "AltGraph", "CapsLock"].includes(key)) return null;
    if (this.prefix) {
      const whole = this.prefix + plain;
      this.prefix = ""; // at once: keys may come faster than acts are done
      return () => this.coded(whole, event.altKey);
    }
    if (/^[1-9]$/.test(plain)) return () => this.coded(plain, event.altKey);
    if (["0", "-", "="].includes(plain) && this.view.topics.length > 9) return this.begin(plain);
    if (event.altKey) return null;
    return this.commands()[key] || (["r", "c"].includes(key) ? () => {} : null); // Streamlit's own keys rest here
  }

  commands() {
    return {
      Enter: () => this.next(),
      s: () => this.skip(),
      x: () => this.view.card && this.nothingFits(),
      t: () => this.fill("topic"),
      n: () => this.fill("note"),
      e: () => this.nextConfidence(),
      m: () => this.nextMode(),
      ArrowLeft: () => this.goBack(),
      Backspace: () => this.goBack(),
      ArrowRight: () => this.goForward(),
      ArrowDown: () => this.step(1),
      ArrowUp: () => this.step(-1),
      " ": () => this.unfold(),
      "/": () => this.find("search").focus(),
      "?": () => this.help(true),
      Escape: () => this.escape(),
    };
  }

  begin(prefix) {
    this.prefix = prefix;
    return () => this.drawLine();
  }

  coded(code, forbids) {
    const topic = this.view.topics.find((each) => each.key === code);
    if (!topic || !this.view.card) return this.drawLine();
    return forbids ? this.forbid(topic.id) : this.permit(topic.id);
  }

  escape() {
    this.prefix = "";
    this.form = null;
    if (this.place.search) {
      this.find("search").value = "";
      return this.search("");
    }
    this.draw();
  }

  unfold() {
    this.unfolded = !this.unfolded;
    this.draw();
  }

  help(shown) {
    const veil = this.find("veil");
    veil.replaceChildren(...(shown ? [drawHelp(() => this.help(false), this.view.obeys)] : []));
    if (!shown) veil.close();
    else if (!veil.open) veil.showModal(); // in the top layer: the navigation is dimmed too
    if (shown) veil.querySelector("button").focus();
  }

  fill(form, found) {
    if (form === "note" && !this.view.card) return;
    this.form = { kind: form, found };
    this.draw();
    const field = this.root.querySelector(".form input, .form textarea");
    if (field) {
      field.focus();
      field.select();
    }
  }

  // ---- drawing: every panel from the view, focus and scroll kept

  draw(fresh = false) {
    const focused = this.root.activeElement && this.root.activeElement.dataset.k;
    const act = (job) => (...given) => this.link.enqueue(() => job(...given));
    this.acts = {
      permit: act((topic) => this.permit(topic)),
      forbid: act((topic) => this.forbid(topic)),
      confidence: act((level) => this.setConfidence(level)),
      adopt: act((found) => this.fill("topic", found)),
    };
    const at = this.scrolled(); // all of them before anything changes: each later look costs a layout
    this.find("about").replaceChildren(...drawAbout(this.view));
    this.find("modes").replaceChildren(...drawModes(this.data.modes, this.place.search ? "" : this.place.mode, act((mode) => this.setMode(mode))));
    this.swap("queue", drawQueue(this.view, act((position) => this.open(position))), at.queue);
    this.swap("card", this.drawCard(act), fresh ? 0 : at.card);
    this.swap("topics", this.drawTopics(act), at.topics);
    this.drawLine();
    if (focused) this.root.querySelector(`[data-k="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    const rows = [...this.find("queue").querySelectorAll(".row")];
    const here = rows.findIndex((row) => row.classList.contains("here"));
    if (here > 6) rows[here].scrollIntoView({ block: "nearest" }); // asking costs a layout
  }

  scroller(id) {
    return this.find(id).querySelector(".rows, .body, .list");
  }

  scrolled() {
    const ids = ["queue", "card", "topics"];
    return Object.fromEntries(ids.map((id) => [id, this.scroller(id) ? this.scroller(id).scrollTop : 0]));
  }

  swap(id, children, at) {
    this.find(id).replaceChildren(...children);
    if (at && this.scroller(id)) this.scroller(id).scrollTop = at;
  }

  drawCard(act) {
    const { card } = this.view;
    if (!card) return [h("div", { class: "done" }, ...this.drawDone())];
    const limit = this.unfolded ? Infinity : card.pieces.reduce((n, piece) => n + piece[0].length, 0) > FOLD * 1.25 ? FOLD : Infinity;
    const button = (key, name, job, kind = "") =>
      h("button", { type: "button", class: kind, "data-k": `b-${key}`, on: { click: act(job) } }, name, h("kbd", {}, key));
    return [
      drawMeta(this.view),
      drawReading(this.view),
      h("article", { class: "body", tabindex: "0", "data-k": "body", "data-document": card.position },
        h("div", { class: "text" }, drawText(this.view, card.pieces, limit)),
        drawFold(card, !this.unfolded, () => this.unfold()),
        card.cut && this.unfolded ? h("p", { class: "empty" }, `The last ${number(card.cut)} characters are not shown.`) : null,
        card.label && card.label.note ? h("p", { class: "note" }, card.label.note) : null),
      drawSaid(this.view),
      this.form && this.form.kind === "note" ? this.noteForm() : null,
      h("div", { class: "acts" },
        button("S", "Skip", () => this.skip()),
        button("X", "Nothing fits", () => this.nothingFits(), this.draft.nothing_fits ? "on" : ""),
        button("T", "New topic", () => this.fill("topic")),
        button("N", "Note", () => this.fill("note")),
        h("button", { type: "button", class: "save", "data-k": "b-save", on: { click: act(() => this.next()) } }, "Save and next",
          h("kbd", { "aria-hidden": "true" }, "↵"))),
    ].filter(Boolean);
  }

  drawDone() {
    const { documents, labelled } = this.view.project;
    if (this.view.search) return [h("b", {}, "No text has these words."), h("p", {}, "Press Escape to go back to the queue.")];
    if (labelled >= documents) return [h("b", {}, "Every text is labelled."), h("p", {}, "See what came of it under Topics and Scores, or press ← to look at a text again.")];
    return [h("b", {}, "Nothing is waiting here."), h("p", {}, "Choose another order above, or search for words.")];
  }

  drawTopics(act) {
    const { topics, found } = this.view;
    const first = this.fit && ["waiting", "running"].includes(this.fit.phase) && !this.view.refit;
    const hint = topics.length > 9 ? "1–9, 0 1 … allow · Alt forbid" : "1–9 allow · Alt forbid";
    return [
      h("h2", {}, "Topics in this text", h("span", {}, topics.length ? hint : "")),
      h("div", { class: "list" },
        this.form && this.form.kind === "topic" ? this.topicForm() : null,
        topics.length ? h("ul", { class: "topics" }, topics.map((topic) => topicButton(this.view, topic, this.draft, this.acts)))
          : h("p", { class: "empty" }, "No topics yet. Press ", h("kbd", {}, "T"), " to name the first one",
            found.length && this.view.obeys ? ", or adopt one that the model found." : "."),
        found.length ? [h("h2", { class: "second" }, "Found by the model", h("span", {}, this.view.obeys ? "not yet yours" : "matching no label")),
          h("ul", { class: "topics" }, found.map((each) => foundRow(this.view, each, this.acts)))] : null,
        first ? h("p", { class: "empty" }, "The first fit is running. What the model finds appears here.") : null),
      drawConfidence(this.draft, this.acts),
    ];
  }

  topicForm() {
    const { found } = this.form;
    const suggestion = found ? found.words.slice(0, 2).join(" and ").replace(/^./, (c) => c.toUpperCase()) : "";
    const input = h("input", { type: "text", maxlength: 120, value: suggestion, "aria-label": "Name of the new topic", placeholder: "Name of the new topic", "data-k": "f-topic" });
    input.addEventListener("keydown", (event) => {
      const name = input.value.trim();
      if (event.key === "Enter" && name) this.link.enqueue(() => this.createTopic(name, found && { run: found.run, topic: found.topic }));
      if (event.key === "Escape") this.link.enqueue(() => this.escape());
    });
    return h("div", { class: "form" }, input, h("small", {}, found ? "Enter adopts it, Escape leaves it." : "Enter makes it and permits it in this text."));
  }

  noteForm() {
    const area = h("textarea", { rows: 2, maxlength: 4000, "aria-label": "Note on this text", placeholder: "A note on this text", "data-k": "f-note" });
    area.value = this.draft.note;
    const save = () => {
      const note = area.value.trim();
      if (!this.form) return;
      this.form = null;
      this.link.enqueue(() => (note === this.draft.note ? this.draw() : this.label({ note })));
    };
    area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        save();
      }
    });
    area.addEventListener("blur", save);
    return h("div", { class: "form" }, area, h("small", {}, "Enter saves, Shift+Enter starts a new line."));
  }

  drawLine() {
    const parts = this.trouble ? [h("span", { class: "bad" }, this.trouble)]
      : this.notice ? [h("span", { class: "notice" }, this.notice)]
      : this.prefix ? [h("span", { class: "notice" }, `${this.prefix} … second key of the topic`)]
      : drawLine(this.view, this.fit, () => this.link.cancel());
    this.find("line").replaceChildren(h("div", {}, parts), h("button", {
      type: "button", class: "keys", "data-k": "help", on: { click: () => this.help(true) },
    }, "Keys ", h("kbd", {}, "?")));
  }
}

const panes = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const beg = () => setTriggerValue("renew", Date.now());
  let pane = panes.get(parentElement);
  if (pane && pane.data.project !== data.project) {
    pane.release();
    pane = null;
  }
  if (pane) {
    pane.data = data;
    pane.link.beg = beg;
    pane.link.renew(data);
    pane.fitHeight();
  } else panes.set(parentElement, (pane = new Pane(parentElement, data, beg)));
  return () => {
    pane.release();
    panes.delete(parentElement);
  };
}
