// @ts-check
// A hidden listener: tells its page that a fit, or work in the background, has ended.

import { EventStream } from "../../javascript/event_stream.js";

const TOKEN_DELAY_MS = 2000; // before asking for a new token: the page may be connecting itself
const ENDED = ["done", "failed", "cancelled"];

/**
 * @typedef {object} Data
 * @property {string} url of the event stream
 * @property {number | null} run the run that the page shows
 * @property {string[]} tasks kinds of work in the background whose end is news
 */

/** @typedef {(name: "run", value: string | number | null) => void} SetStateValue a new value reruns */

class Listener {
  /** @param {Data} data @param {SetStateValue} setStateValue */
  constructor(data, setStateValue) {
    this.data = data;
    this.setStateValue = setStateValue;
    this.stream = new EventStream({
      onEvent: (event) => this.handle(event),
      onMissed: () => this.data.tasks.length && this.rerun(`seen again ${Date.now()}`), // one may have ended
      onRefused: () => this.stream.later(() => this.rerun(-Date.now()), TOKEN_DELAY_MS),
    });
  }

  /** @param {string | number | null} value */
  rerun(value) {
    this.setStateValue("run", value);
  }

  /** @param {{ type: string, phase?: string, kind?: string, number?: number, run?: number | null }} event */
  handle({ type, phase = "", kind = "", number = 0, run = null }) {
    const { data } = this;
    if (type === "task" && ENDED.includes(phase) && data.tasks.includes(kind)) this.rerun(`${kind} ${number}`);
    if (type !== "fit") return;
    if (phase === "failed" || phase === "cancelled") this.rerun(-number);
    if (phase !== "done" || run === data.run) return;
    data.run = run; // told once
    this.rerun(run);
  }
}

/** @type {WeakMap<object, Listener>} */
const listeners = new WeakMap();

/** @param {{ data: Data, parentElement: object, setStateValue: SetStateValue }} component */
export default function ({ data, parentElement, setStateValue }) {
  const listener = listeners.get(parentElement) ?? new Listener(data, setStateValue);
  listeners.set(parentElement, listener);
  Object.assign(listener, { data, setStateValue });
  if (listener.stream.url !== data.url) listener.stream.follow(data.url, { upToDate: true });
  return () => {
    listener.stream.close();
    listeners.delete(parentElement);
  };
}
