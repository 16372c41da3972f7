// A browser as far as the modules under test need one: page visibility, streams, storage, a clock.
import { webcrypto } from "node:crypto";

/** EventSource that does what a test says. */
export class FakeEventSource {
  static opened = [];

  constructor(url) {
    Object.assign(this, { url, readyState: 1 });
    FakeEventSource.opened.push(this);
  }

  static get connected() {
    return FakeEventSource.opened.filter((each) => each.readyState !== 2);
  }

  send(event) {
    this.onmessage({ data: JSON.stringify(event) });
  }

  /** The browser tries again by itself. */
  lose() {
    this.readyState = 0;
    this.onerror();
  }

  /** The browser gives up. */
  refuse() {
    this.readyState = 2;
    this.onerror();
  }

  close() {
    this.readyState = 2;
  }
}

class FakeStorage {
  #values = new Map();

  getItem(key) {
    return this.#values.get(key) ?? null;
  }

  setItem(key, value) {
    this.#values.set(key, String(value));
  }
}

/** Timeouts that pass when a test says so. */
export class FakeClock {
  now = 0;
  #timers = new Map();
  #last = 0;

  set(action, delay = 0) {
    this.#last += 1;
    this.#timers.set(this.#last, { action, at: this.now + delay });
    return this.#last;
  }

  clear(timer) {
    this.#timers.delete(timer);
  }

  pass(milliseconds) {
    this.now += milliseconds;
    for (const [id, { action, at }] of [...this.#timers]) {
      if (at > this.now || !this.#timers.delete(id)) continue;
      action();
    }
  }
}

/** Give the globals of a browser to the modules; each test gets fresh ones. */
export function openPage({ hidden = false, href = "http://localhost/label" } = {}) {
  const page = new EventTarget();
  const view = new EventTarget();
  const clock = new FakeClock();
  FakeEventSource.opened = [];
  globalThis.crypto ??= webcrypto; // node 18 has no global one
  Object.assign(page, { hidden, querySelector: () => null });
  Object.assign(globalThis, {
    document: page,
    window: view,
    EventSource: FakeEventSource,
    sessionStorage: new FakeStorage(),
    location: new URL(href),
    history: { state: null, replaceState: (_state, _title, url) => (globalThis.location = new URL(url)) },
    setTimeout: (action, delay) => clock.set(action, delay),
    clearTimeout: (timer) => clock.clear(timer),
  });
  const see = (seen) => {
    page.hidden = !seen;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  return { clock, see, page, window: view };
}

/** All promises that can settle have settled. */
export const settled = () => new Promise((done) => setImmediate(done));
