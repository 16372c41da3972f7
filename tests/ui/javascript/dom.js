// A light DOM for tests that draw. Outside CI such tests are skipped where it is not installed.
const library = await import("linkedom").catch(() => null);

export const skip =
  library || process.env.CI === "true" ? false : "linkedom is missing: run npm ci in tests/ui/javascript";

/** A document with the globals that drawing needs; returns its body. */
export function openDocument(html = "") {
  const { document, Node, Element, HTMLElement, Event } = library.parseHTML(`<html><body>${html}</body></html>`);
  Object.assign(globalThis, { document, Node, Element, HTMLElement });
  return Object.assign(document.body, { Event });
}
