// Search as you type: one question at a time, the newest wins, an old answer is never drawn.

const PATIENCE = 120; // milliseconds without a key before the server is asked
const HINTS = [
  ["is:unlabelled", "nobody has labelled it"], ["topic:", "the model's main topic"], ["label:", "a topic you permitted"],
  ["score:>60", "share of the topic in %"], ["date:2026-03", "a day, month, year or span"], ["is:unsure", "or skipped, expert, noted, mine"],
  ["author:", "who labelled it"], ["not:", "a topic you ruled out"], ["-", "turns the next part around"], ['"', "a phrase, word for word"],
];

class Finder {
  constructor(pane) {
    this.pane = pane;
    this.box = pane.find("search");
    this.box.value = pane.place.search;
    this.box.addEventListener("input", () => this.later());
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("focus", () => this.hint(true));
    this.box.addEventListener("blur", () => setTimeout(() => this.hint(false), 150));
    pane.find("queue").addEventListener("scroll", (event) => this.scrolled(event.target), true);
  }

  key(event) {
    if (event.key === "Enter") {
      clearTimeout(this.timer);
      const { pane } = this;
      this.box.blur();
      pane.link.enqueue(async () => {
        await this.search(this.box.value.trim());
        if (pane.view.queue.length && pane.place.search) await pane.open(pane.view.queue[0].position);
      });
    }
  }

  later() {
    clearTimeout(this.timer);
    if (this.asked) this.asked.abort();
    this.timer = setTimeout(() => this.search(this.box.value.trim()), PATIENCE);
    this.hint(!this.box.value);
  }

  // Outside the chain of acts: a search never makes a label wait, nor a label a search.
  async search(words) {
    const { pane } = this;
    if (words === pane.place.search && !this.asked) return;
    if (this.asked) this.asked.abort();
    const asked = (this.asked = new AbortController());
    const place = { ...pane.place, search: words };
    const answer = await pane.link.rows(place, 0, asked.signal);
    if (asked !== this.asked || answer === null) return; // somebody typed on
    this.asked = null;
    if (answer.error !== undefined) return pane.refuse(answer.error);
    pane.place = { ...pane.place, search: words };
    pane.show({ ...pane.view, ...answer, upcoming: null }); // what comes next is another list's
  }

  // An answer that is under way would come to another list.
  forget() {
    clearTimeout(this.timer);
    if (this.asked) this.asked.abort();
    this.asked = null;
    this.box.value = "";
  }

  // Leave the results or the selection for the queue; the open text stays.
  async leave() {
    this.forget();
    const { pane } = this;
    pane.place = { ...pane.place, search: "", documents: "" };
    pane.take(await pane.link.show(pane.place), { keepCard: true });
  }

  async ask(words) {
    this.box.value = words;
    this.hint(false);
    await this.search(words);
  }

  async scrolled(list) {
    const { pane } = this;
    if (!list.classList || !list.classList.contains("rows") || this.growing || !pane.view) return;
    if (list.scrollTop + list.clientHeight < list.scrollHeight - 400) return;
    const { view, place } = pane;
    if (view.queue.length < STRETCH || view.queue.length === this.longest) return;
    this.growing = true;
    const answer = await pane.link.rows(place, view.queue.length);
    this.growing = false;
    if (!answer || answer.error !== undefined || !samePlace(place, pane.place)) return;
    const had = new Set(pane.view.queue.map((row) => row.position));
    const more = answer.queue.filter((row) => !had.has(row.position));
    this.longest = more.length ? null : pane.view.queue.length;
    if (!more.length) return;
    pane.view.queue = [...pane.view.queue, ...more];
    const here = pane.view.card && pane.view.card.position;
    const rows = more.map((row) => drawRow(pane.view, row, here, pane.act((position) => pane.open(position))));
    pane.find("queue").querySelector(".rows").append(...rows);
  }

  hint(shown) {
    const box = this.pane.find("hints");
    box.hidden = !shown || Boolean(this.box.value);
    if (box.hidden || box.childElementCount) return;
    box.append(...HINTS.map(([text, what]) => h("button", {
      type: "button", tabindex: "-1", on: { mousedown: (event) => event.preventDefault(), click: () => this.add(text) },
    }, h("code", {}, text), h("span", {}, what))));
  }

  add(text) {
    const before = this.box.value.trimEnd();
    this.box.value = before ? `${before} ${text}` : text;
    this.box.focus();
    this.later();
  }
}
