// @ts-check
// Where the reader is: in the address bar first, so that a refresh, a second tab and a restart of
// the server land there again; then in what this tab remembers, for a visit to another page.

/** @import { PaneData, Place } from "./types.js" */

export const SAVED_MODE = "saved:"; // before the name of a saved search, in place of an order
const MAX_MODE_LENGTH = 200;
const PARAMETERS = ["mode", "document", "search", "documents"];
const storageKey = (/** @type {number} */ project) => `desk-${project}`;

/**
 * The place that the address names, or the one of the last visit.
 * @param {Pick<PaneData, "project" | "modes">} data
 * @returns {Place}
 */
export function readPlace({ project, modes }) {
  const query = new URLSearchParams(location.search);
  const saved = JSON.parse(sessionStorage.getItem(storageKey(project)) || "{}");
  const inAddress = PARAMETERS.some((name) => query.has(name));
  /** @type {(name: string) => string} */
  const value = (name) => (inAddress ? query.get(name) : saved[name]) ?? "";
  const mode = isMode(modes, value("mode")) ? value("mode") : modes[0][0];
  const document = /^\d{1,9}$/.test(value("document")) ? Number(value("document")) : null;
  const documents = /^[0-9a-f]{1,64}$/.test(value("documents")) ? value("documents") : "";
  return { mode, search: value("search").slice(0, 500), documents, document };
}

/** @param {PaneData["modes"]} modes @param {string} mode */
const isMode = (modes, mode) =>
  modes.some(([id]) => id === mode) || (mode.startsWith(SAVED_MODE) && mode.length <= MAX_MODE_LENGTH);

/** @param {Pick<PaneData, "project">} data @param {Place} place */
export function savePlace({ project }, { mode, search, documents, document }) {
  const values = { mode, search, documents, document: document === null ? "" : String(document) };
  sessionStorage.setItem(storageKey(project), JSON.stringify(values));
  const url = new URL(location.href);
  url.searchParams.set("project", String(project));
  for (const [name, value] of Object.entries(values)) {
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  }
  if (url.href !== location.href) history.replaceState(history.state, "", url);
}

/**
 * The topic whose entry in the codebook another page asks for; asked for once.
 * @returns {number | null}
 */
export function takeRequestedEntry() {
  const url = new URL(location.href);
  const topic = url.searchParams.get("codebook") || "";
  url.searchParams.delete("codebook");
  if (url.href !== location.href) history.replaceState(history.state, "", url);
  return /^\d{1,9}$/.test(topic) ? Number(topic) : null;
}

/** @typedef {Pick<Place, "mode" | "search" | "documents">} ListPlace */

/**
 * Whether two places show the same list, whichever text is open.
 * @param {ListPlace | null} a @param {ListPlace | null} b
 */
export const sameList = (a, b) =>
  Boolean(a && b && a.search === b.search && a.documents === b.documents && a.mode === b.mode);
