// @ts-check
// Requests to the server, each repeated until it is answered, and the server's events.

/** @import { Answer, PaneData, PaneEvent, Place } from "./types.js" */
/** @import { SentRequest } from "./pending_requests.js" */

import { EventStream } from "../../javascript/event_stream.js";
import { PendingRequests } from "./pending_requests.js";

const RETRY_DELAYS_MS = [200, 500, 1000, 2000, 3000]; // before each further attempt
const RECONNECT_MS = 3000; // after the event stream was refused
const FORGET_DELAY_MS = 30; // the next card first; a request sent twice counts once
const READ_ONLY = "You can read this project, but not change it.";
/** @type {any} */
const UNANSWERED = { error: "" }; // the page was left before the server answered

const randomName = () =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, "0")).join("");
const pause = (/** @type {number} */ ms) => new Promise((done) => setTimeout(done, ms));

/**
 * @typedef {object} Handlers
 * @property {(event: PaneEvent) => void} onEvent called with every event of the stream
 * @property {(sentence: string | null) => void} onTrouble null: the server answers again
 * @property {() => void} requestToken asks the page for a new token
 */

export class Server {
  /** @param {PaneData} data @param {Handlers} handlers */
  constructor(data, handlers) {
    this.client = randomName();
    this.sequence = 0;
    this.handlers = handlers;
    this.open = true;
    this.data = data;
    this.pending = new PendingRequests(data);
    this.stream = new EventStream({
      onEvent: (event) => handlers.onEvent(event),
      onMissed: () => handlers.onEvent({ type: "recorded" }),
      onRefused: () => {
        handlers.requestToken();
        this.stream.later(this.stream.connect, RECONNECT_MS);
      },
    });
    this.renew(data);
  }

  /**
   * A restarted server hands the page a new token: take it, and listen again.
   * @param {PaneData} data
   */
  renew(data) {
    const { project, token } = data;
    this.data = data;
    this.pending = new PendingRequests(data);
    this.stream.follow(`api/events?${new URLSearchParams({ project: String(project), token })}`);
  }

  close() {
    this.open = false;
    this.stream.close();
  }

  /**
   * @param {Place} place
   * @param {Record<string, string>} [more]
   */
  query(place, more = {}) {
    const { mode, search, documents, document } = place;
    const query = new URLSearchParams({ project: String(this.data.project), mode, ...more });
    if (search) query.set("search", search);
    if (documents) query.set("documents", documents);
    if (document !== null && document !== undefined) query.set("document", String(document));
    return query;
  }

  /**
   * What to show at a place.
   * @param {Place} place
   * @returns {Promise<Answer>}
   */
  show(place) {
    return this.get("api/desk", this.query(place));
  }

  /**
   * A stretch of the list. The answer to what is no longer asked is never drawn: null.
   * @param {Place} place @param {number} offset @param {AbortSignal} [signal]
   */
  rows(place, offset, signal) {
    return this.get("api/rows", this.query(place, { offset: String(offset) }), signal);
  }

  /** What can be searched for. */
  filters() {
    return this.get("api/filters", new URLSearchParams({ project: String(this.data.project) }));
  }

  /** Saved searches, with what is left of them. */
  saved() {
    return this.get("api/saved", new URLSearchParams({ project: String(this.data.project) }));
  }

  /** @param {string} address @param {URLSearchParams} query @param {AbortSignal} [signal] */
  get(address, query, signal) {
    return this.ask(() => fetch(`${address}?${query}`, { headers: { "x-token": this.data.token }, signal }), signal);
  }

  /**
   * @param {Place} place
   * @param {{ kind: string, [more: string]: unknown }} request
   * @returns {Promise<Answer>}
   */
  async send(place, request) {
    if (!this.open) return UNANSWERED; // the page was left: nobody sees what this key would do
    if (this.data.reader && request.kind !== "next") return /** @type {any} */ ({ error: READ_ONLY }); // the server would say so, too
    /** @type {SentRequest} */
    const body = { project: this.data.project, ...place, request, client: this.client, sequence: ++this.sequence };
    this.pending.add(body);
    const answer = await this.post("api/requests", body);
    if (answer !== UNANSWERED) setTimeout(() => this.pending.remove(body), FORGET_DELAY_MS);
    return answer;
  }

  /** Requests from before a reload, or a visit to another page, that nobody has answered are sent again as they were. */
  async resend() {
    for (const body of this.pending.all()) {
      if ((await this.post("api/requests", body)) === UNANSWERED) return; // the page was left once more
      this.pending.remove(body);
    }
  }

  /** Stop the fit. */
  cancel() {
    return this.post("api/cancel", {});
  }

  /** Fit once more. */
  refit() {
    return this.post("api/refit", {});
  }

  /**
   * keepalive: a request under way arrives even when the tab is closed at that moment.
   * @param {string} address @param {object} body
   */
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

  /**
   * The answer, after as many attempts as it takes; a refusal comes back as { error }.
   * @param {() => Promise<Response>} request
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>}
   */
  async ask(request, signal) {
    const { handlers } = this; // whose functions a rerun of the page replaces
    for (let attempt = 0; this.open; attempt++) {
      if (signal?.aborted) return null;
      try {
        const response = await request();
        if (response.status < 500 && response.status !== 403) {
          if (attempt) handlers.onTrouble(null);
          return await response.json();
        }
        if (response.status === 403) handlers.requestToken();
        handlers.onTrouble(response.status === 403 ? "Reconnecting…" : "The server is busy. Trying again…");
      } catch (error) {
        if (error instanceof Error && error.name === "AbortError") return null;
        handlers.onTrouble("The server does not answer. Nothing is lost; trying again…");
      }
      await pause(RETRY_DELAYS_MS[Math.min(attempt, RETRY_DELAYS_MS.length - 1)]);
    }
    return UNANSWERED;
  }
}
