// The labelling pane: what is on screen, what can be done, and in which order it happens.

const AFTERWARDS = 30; // milliseconds: what can wait is done when the card is on the screen
const PASSING = 150; // milliseconds for which a view may stay undrawn while keys are waiting

class Pane {
  constructor(root, data, beg) {
    this.root = root;
    this.data = data;
    this.view = null;
    this.fit = null;
    this.confidence = "sure"; // for texts that have no label yet
    this.unfolded = false;
    this.form = null; // { kind: "topic" | "note" } while one is being filled in
    this.back = [];
    this.ahead = [];
    this.notice = "";
    this.refusals = 0;
    this.looked = null; // the text as it was when the key was pressed that is being followed
    this.place = rememberedPlace(data);
    this.act = (job) => (...given) => this.inTurn(() => job(...given));
    this.link = new Link(data, (event) => this.hear(event), (sentence) => this.warn(sentence), beg);
    this.link.rest = () => this.rest();
    this.sheet = new Sheet(this);
    this.finder = new Finder(this);
    this.bulk = new Bulk(this);
    this.codebook = new Codebook(this);
    this.changes = new Changes(this);
    this.keys = new Keys(this);
    this.bind();
    this.link.enqueue(async () => {
      await this.link.resend();
      this.take(await this.link.show(this.place));
    });
  }

  find(id) {
    return this.root.querySelector(`#${id}`);
  }

  bind() {
    this.remember = () => rememberPlace(this.data, this.place);
    window.addEventListener("pagehide", this.remember);
    this.onResize = () => this.fitHeight();
    window.addEventListener("resize", this.onResize);
    this.clock = setInterval(() => this.view && this.drawLine(), 10000);
    this.root.addEventListener("click", (event) => {
      const button = event.detail > 0 && event.target.closest && event.target.closest("button");
      if (button && !this.sheet.shown) button.blur(); // so that Enter means “next” again, not this button
    });
    this.fitHeight();
  }

  release() {
    this.link.close();
    this.keys.release();
    clearInterval(this.clock);
    clearTimeout(this.remembering);
    window.removeEventListener("pagehide", this.remember);
    window.removeEventListener("resize", this.onResize);
  }

  fitHeight() {
    const desk = this.root.querySelector(".desk");
    const top = desk.getBoundingClientRect().top + window.scrollY;
    desk.style.setProperty("--height", `${Math.max(440, window.innerHeight - Math.max(top, 60) - 10)}px`);
  }

  // ---- answers and news from the server

  take(answer, { keepCard = false } = {}) {
    if (answer.conflict !== undefined) return this.disagree(answer);
    if (answer.error !== undefined) return this.refuse(answer.error);
    const before = this.view && this.view.card;
    const same = before && answer.card && before.position === answer.card.position;
    const read = same && before.run; // a first fit may still colour it
    if (read && keepCard) {
      const { label, note, skipped, earlier, shares, run } = answer.card;
      answer.card = { ...before, label, note, skipped, earlier, shares, run };
    }
    if (!same) {
      this.unfolded = false;
      this.form = null;
      this.confidence = "sure";
    }
    if (this.view && !samePlace(answer, this.place)) Object.assign(answer, listOf(this.view), { upcoming: null }); // somebody typed on
    else if (this.view && samePlace(answer, this.view)) answer.queue = withTail(answer, this.view);
    this.fit = answer.fit;
    this.notice = answer.notice || "";
    this.place.document = answer.card ? answer.card.position : null;
    this.show(answer);
  }

  // The list and the counts around a text can be left to an answer that is on its way.
  show(view, { around = true } = {}) {
    this.view = view;
    this.tell();
    clearTimeout(this.remembering);
    this.remembering = setTimeout(this.remember, AFTERWARDS);
    this.since = this.since || performance.now();
    const passing = this.link.waiting > 1 && performance.now() - this.since < PASSING;
    if (passing) return; // what the next key replaces at once is not drawn
    if (around) this.draw();
    else this.keepingFocus(() => this.drawText());
  }

  // Nothing is left to do: whatever was passed over is drawn now.
  rest() {
    if (this.since) this.draw();
  }

  // What is shown, for whoever watches the page from outside.
  tell() {
    const { dataset } = this.root.querySelector(".desk");
    if (this.view.refit) dataset.run = this.view.refit.run;
    dataset.list = `${this.view.list.kind} ${this.view.search}`;
  }

  refuse(sentence) {
    if (!this.view && this.place.document !== null) {
      this.place.document = null; // an address that names a text that is not there
      this.link.enqueue(async () => this.take(await this.link.show(this.place)));
      return;
    }
    this.say(sentence);
  }

  say(sentence) {
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
    } else if (event.type === "act" && event.client !== this.link.client) {
      const here = this.view && this.view.card && this.view.card.position === event.position;
      this.refresh(here && event.author ? `${event.author} has just labelled this text.` : "");
    }
  }

  // Something changed elsewhere: new words, another order, a colleague's label. The text that is
  // being read stays as it is; what the model reads in it is the newest.
  refresh(notice = "") {
    this.news = notice || this.news;
    if (this.refreshing) return;
    this.refreshing = true;
    this.link.enqueue(async () => {
      this.refreshing = false;
      const answer = await this.link.show(this.place);
      this.take({ ...answer, notice: this.news || this.notice }, { keepCard: true });
      this.news = "";
    });
  }

  // ---- acts

  get draft() {
    return this.draftOf(this.view && this.view.card && this.view.card.label);
  }

  async send(act) {
    const late = setTimeout(() => this.root.firstElementChild.classList.add("late"), 150);
    const answer = await this.link.act(this.place, act);
    clearTimeout(late);
    this.root.firstElementChild.classList.remove("late");
    return answer;
  }

  async label(changes, seen = undefined) {
    const { position } = this.view.card;
    const said = this.seenLabel();
    const { permitted, forbidden, confidence, nothing_fits, note } = { ...this.draftOf(said), ...changes };
    const looked = seen ?? (said ? said.event : 0);
    const act = { kind: "label", position, permitted, forbidden, confidence, nothing_fits, note, seen: looked };
    const answer = await this.send(act);
    if (answer.said) return this.show(this.saved(answer));
    this.halt();
    this.take(answer.conflict === undefined ? answer : { ...answer, act }, { keepCard: true });
  }

  // Somebody else was quicker: nothing is replaced unless it is confirmed.
  disagree({ conflict, view, act }) {
    const theirs = view.card.label;
    this.take(view, { keepCard: true });
    if (!theirs) return this.say(conflict); // and taken back again
    const replace = () => {
      this.sheet.close();
      const { permitted, forbidden, confidence, nothing_fits, note } = act;
      this.link.enqueue(() => this.label({ permitted, forbidden, confidence, nothing_fits, note }, theirs.event));
    };
    this.sheet.show("Two views of one text", [
      h("p", { class: "lead" }, conflict),
      h("p", { class: "said saved" }, `${theirs.author}: `, saying(this.view, theirs)),
      h("p", { class: "said saved" }, "You: ", saying(this.view, act)),
      h("div", { class: "acts" },
        h("button", { type: "button", autofocus: true, "data-k": "theirs", on: { click: () => this.sheet.close() } }, "Keep theirs"),
        h("button", { type: "button", class: "save", "data-k": "mine", on: { click: replace } }, "Replace with mine")),
    ]);
  }

  permit(topic) {
    const { permitted, forbidden } = this.draftOf(this.seenLabel());
    const without = permitted.filter((each) => each !== topic);
    return this.label({
      permitted: without.length < permitted.length ? without : [...permitted, topic],
      forbidden: forbidden.filter((each) => each !== topic),
      nothing_fits: false,
    });
  }

  forbid(topic) {
    const { permitted, forbidden } = this.draftOf(this.seenLabel());
    const without = forbidden.filter((each) => each !== topic);
    return this.label({
      forbidden: without.length < forbidden.length ? without : [...forbidden, topic],
      permitted: permitted.filter((each) => each !== topic),
    });
  }

  nothingFits() {
    return this.label({ nothing_fits: !this.draftOf(this.seenLabel()).nothing_fits, permitted: [] });
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

  coded(code, forbids) {
    const topic = this.view.topics.find((each) => each.key === code);
    if (!topic || !this.view.card) return this.drawLine();
    return forbids ? this.forbid(topic.id) : this.permit(topic.id);
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
    if (!permitted.length && !forbidden.length && !nothing_fits)
      return this.say("Choose at least one topic, or press S to skip this text.");
    return this.view.upcoming ? this.goOn(this.view.upcoming) : this.leave({ kind: "next" });
  }

  // The next text came along with this one: show it now, tell the server meanwhile. The server
  // opens that very text, so a key that follows means the text its presser sees.
  async goOn(card) {
    const from = { ...this.place, document: this.view.card.position };
    this.back.push(from.document);
    this.ahead = [];
    this.unfolded = false;
    this.form = null;
    this.confidence = "sure";
    this.place.document = card.position;
    this.show({ ...this.view, card, upcoming: null }, { around: false });
    const answer = await this.link.act(from, { kind: "next", to: card.position });
    this.take(answer, { keepCard: true });
  }

  skip() {
    if (this.view.card) return this.leave({ kind: "skip", position: this.view.card.position });
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

  // ---- moving about

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

  async setMode(mode) {
    this.place = { mode, search: "", documents: "", document: null };
    this.finder.forget();
    this.take(await this.link.show(this.place));
  }

  async choose(documents) {
    this.place = { ...this.place, search: "", documents, document: null };
    this.finder.forget();
    this.take(await this.link.show(this.place));
  }

  nextMode() {
    const modes = this.data.modes.map(([id]) => id);
    return this.setMode(modes[(modes.indexOf(this.place.mode) + 1) % modes.length]);
  }

  escape() {
    this.form = null;
    if (this.place.search || this.place.documents) return this.finder.leave();
    this.notice = "";
    this.draw();
  }

  unfold() {
    this.unfolded = !this.unfolded;
    this.draw();
  }

  help() {
    this.sheet.show("Keys", drawHelp(this.view.obeys), { keys: { Enter: () => this.sheet.close() } });
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
}

Object.assign(Pane.prototype, Turns, Forms, Drawing);

const panes = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const beg = () => setTriggerValue("renew", Date.now());
  let pane = panes.get(parentElement);
  if (pane && (pane.data.project !== data.project || !pane.sheet.element.isConnected)) { // mounted anew
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
