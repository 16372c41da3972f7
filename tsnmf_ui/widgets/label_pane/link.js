// Talking to the server: one act at a time, in order, resent until it is answered.

const PAUSES = [200, 500, 1000, 2000, 3000]; // milliseconds before each further attempt
const randomName = () =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, "0")).join("");
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

class Link {
  constructor(data, hear, tell, beg) {
    this.client = randomName();
    this.sequence = 0;
    this.chain = Promise.resolve();
    this.waiting = 0; // jobs that are not done yet
    this.inner = null; // those that one of them asks for meanwhile
    this.hear = hear; // called with every event of the stream
    this.tell = tell; // called with a sentence when the server does not answer, null when it does
    this.beg = beg; // asks the page for a new token
    this.open = true;
    this.looks = () => this.look();
    this.leaves = () => this.hang();
    document.addEventListener("visibilitychange", this.looks);
    window.addEventListener("pageshow", this.looks);
    window.addEventListener("pagehide", this.leaves);
    this.renew(data);
  }

  // A restarted server hands the page a new token: take it, and listen again.
  renew(data) {
    const same = this.data && this.data.token === data.token && this.data.project === data.project;
    this.data = data;
    if (!same || (this.stream && this.stream.readyState === 2)) this.hang();
    this.look();
  }

  close() {
    this.open = false;
    document.removeEventListener("visibilitychange", this.looks);
    window.removeEventListener("pageshow", this.looks);
    window.removeEventListener("pagehide", this.leaves);
    this.hang();
  }

  // A page that nobody sees holds no stream: a browser keeps but six connections to one server, for
  // all its tabs and the pages one can go back to. Who comes back hears what happened meanwhile.
  look() {
    if (document.hidden) return this.hang();
    if (this.stream || !this.open) return;
    if (this.missed) this.hear({ type: "act" });
    this.missed = false;
    this.listen();
  }

  hang() {
    clearTimeout(this.again);
    this.missed = this.missed || Boolean(this.stream);
    if (this.stream) this.stream.close();
    this.stream = null;
  }

  // Jobs run one after the other, so that a key meets the card its presser saw.
  enqueue(job) {
    if (this.inner) return this.inner.push(job);
    this.waiting += 1;
    const done = () => {
      this.waiting -= 1;
      if (!this.waiting && this.rest) this.rest();
    };
    this.chain = this.chain.then(job).catch((error) => console.error(error)).then(done);
    return this.chain;
  }

  // What a job asks for while it runs is part of its turn, and comes before what is waiting.
  async within(job) {
    const inner = (this.inner = []);
    try {
      job();
    } finally {
      this.inner = null;
    }
    for (const each of inner) await each();
  }

  listen() {
    const { project, token } = this.data;
    const stream = (this.stream = new EventSource(`api/events?${new URLSearchParams({ project, token })}`));
    stream.onmessage = (message) => this.hear(JSON.parse(message.data));
    stream.onerror = () => {
      if (stream.readyState !== 2 || stream !== this.stream) return;
      this.hang();
      this.beg(); // refused: the server has been restarted and knows another token
      this.again = setTimeout(() => this.look(), 3000);
    };
  }

  query(place, more = {}) {
    const query = new URLSearchParams({ project: this.data.project, mode: place.mode, ...more });
    for (const name of ["search", "documents", "document"])
      if (place[name] !== null && place[name] !== undefined && place[name] !== "") query.set(name, place[name]);
    return query;
  }

  show(place) {
    return this.get("api/desk", this.query(place));
  }

  get(address, query, signal) {
    return this.ask(() => fetch(`${address}?${query}`, { headers: { "x-token": this.data.token }, signal }), signal);
  }

  // A stretch of the list. The answer to what is no longer asked is never drawn: null.
  rows(place, offset, signal) {
    return this.get("api/rows", this.query(place, { offset }), signal);
  }

  act(place, act) {
    const body = { project: this.data.project, ...place, act, client: this.client, sequence: ++this.sequence };
    this.owe(body);
    return this.post("api/act", body).then((answer) => {
      setTimeout(() => this.settled(body), 30); // the next card first; an act sent twice counts once
      return answer;
    });
  }

  cancel() {
    return this.post("api/cancel", {});
  }

  // ---- acts that nobody has answered yet outlive a reload: they are sent again as they were

  get debts() {
    return JSON.parse(sessionStorage.getItem(this.purse) || "[]");
  }

  set debts(list) {
    sessionStorage.setItem(this.purse, JSON.stringify(list));
  }

  // Kept for one author: whoever signs in after them in this tab does not send them as their own.
  get purse() {
    return `owed-${this.data.project}-${this.data.token.split(".")[0]}`;
  }

  owe(body) {
    this.debts = [...this.debts, body];
  }

  settled({ client, sequence }) {
    this.debts = this.debts.filter((each) => each.client !== client || each.sequence !== sequence);
  }

  async resend() {
    for (const body of this.debts) {
      await this.post("api/act", body);
      this.settled(body);
    }
  }

  // keepalive: an act under way arrives even when the tab is closed at that moment.
  post(address, body) {
    return this.ask(() =>
      fetch(address, {
        method: "POST",
        keepalive: true,
        headers: { "content-type": "application/json", "x-token": this.data.token },
        body: JSON.stringify({ project: this.data.project, ...body }),
      }),
    );
  }

  // The answer, after as many attempts as it takes; a refusal comes back as { error }.
  async ask(request, signal) {
    for (let attempt = 0; this.open; attempt++) {
      if (signal && signal.aborted) return null;
      try {
        const response = await request();
        if (response.status < 500 && response.status !== 403) {
          if (attempt) this.tell(null);
          return await response.json();
        }
        if (response.status === 403) this.beg();
        this.tell(response.status === 403 ? "Reconnecting…" : "The server is busy. Trying again…");
      } catch (error) {
        if (error.name === "AbortError") return null;
        this.tell("The server does not answer. Nothing is lost; trying again…");
      }
      await pause(PAUSES[Math.min(attempt, PAUSES.length - 1)]);
    }
    return { error: "" };
  }
}
