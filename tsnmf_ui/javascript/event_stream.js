// @ts-check
// Server-sent events for a page: connected only while somebody sees the page.
//
// A browser keeps but six connections to one server, for all its tabs and for the pages one can go
// back to, and whatever asks for a seventh waits. So a hidden page holds none. Whoever comes back
// to it is told that events may have been missed, and is connected again.

const CLOSED = 2; // EventSource.CLOSED: the server refused, and the browser does not try again

/**
 * @typedef {object} Handlers
 * @property {(event: any) => void} onEvent called with every event, parsed
 * @property {() => void} onMissed called before connecting again after a time without a connection
 * @property {() => void} onRefused called when the server refuses: restarted, it knows another token
 */

export class EventStream {
  /** @param {Handlers} handlers they may be replaced later */
  constructor(handlers) {
    this.handlers = handlers;
    this.url = "";
    this.missed = false;
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.connect = this.connect.bind(this);
    this.disconnect = this.disconnect.bind(this);
    document.addEventListener("visibilitychange", this.connect);
    window.addEventListener("pageshow", this.connect);
    window.addEventListener("pagehide", this.disconnect);
  }

  /**
   * Connect to an address; nothing happens if it is the present one and the connection is good.
   * @param {string} url
   * @param {{ upToDate?: boolean }} [options] upToDate: what was missed until now is known already
   */
  follow(url, { upToDate = false } = {}) {
    if (url !== this.url || this.source?.readyState === CLOSED) this.disconnect();
    if (upToDate) this.missed = false;
    this.url = url;
    this.connect();
  }

  connect() {
    if (document.hidden) return this.disconnect();
    if (this.source || !this.url) return;
    const { missed } = this;
    this.missed = false;
    if (missed) this.handlers.onMissed();
    const source = (this.source = new EventSource(this.url));
    source.onmessage = (message) => this.handlers.onEvent(JSON.parse(message.data));
    source.onerror = () => {
      if (source.readyState !== CLOSED || source !== this.source) return; // else the browser retries
      this.disconnect();
      this.handlers.onRefused();
    };
  }

  disconnect() {
    clearTimeout(this.timer);
    if (!this.source) return;
    this.missed = true;
    this.source.close();
    this.source = null;
  }

  /**
   * Do something after a pause, unless the page is hidden or another address followed by then.
   * @param {() => void} action
   * @param {number} milliseconds
   */
  later(action, milliseconds) {
    clearTimeout(this.timer);
    this.timer = setTimeout(action, milliseconds);
  }

  /** For good: the component is gone. */
  close() {
    this.url = "";
    document.removeEventListener("visibilitychange", this.connect);
    window.removeEventListener("pageshow", this.connect);
    window.removeEventListener("pagehide", this.disconnect);
    this.disconnect();
  }
}
