// Words that say why: where a selection stands in the text, as the server counts.
import assert from "node:assert/strict";
import { test } from "node:test";

import { callsOf, cardAt, fakePane, labelBy, viewOf } from "./fake_pane.js";
import { paneModule } from "./sources.js";

const { Highlights, spanOf } = await paneModule("highlight.js");
const { Labels } = await paneModule("labels.js");

const piece = (text, hidden = false) => [text, null, 0, false, hidden, null];
const PIECES = [piece("A 🚰 pipe "), piece("hidden words ", true), piece("burst"), piece(" at night")];

test("letters are counted as the server counts them", () => {
  assert.deepEqual(spanOf(PIECES, false, [[0, 2, 9]]), { start: 2, end: 8, quote: "🚰 pipe" });
});

test("blanks around a selection are left out", () => {
  assert.deepEqual(spanOf(PIECES, false, [[2, 0, 5], [3, 0, 4]]), { start: 22, end: 30, quote: "burst at" });
  assert.deepEqual(spanOf(PIECES, false, [[0, 1, 9]]).quote, "🚰 pipe");
  assert.equal(spanOf(PIECES, false, [[3, 0, 1]]), null);
  assert.equal(spanOf(PIECES, false, []), null);
});

test("in a folded text the pieces in sight are counted, and what is hidden keeps its place", () => {
  assert.deepEqual(spanOf(PIECES, true, [[1, 0, 5]]), { start: 22, end: 27, quote: "burst" });
});

function highlightsOf(permitted, span) {
  const pane = fakePane(viewOf({ card: cardAt(0, { label: labelBy("ann", permitted) }) }));
  pane.labels = new Labels(pane);
  const highlights = new Highlights(pane);
  highlights.selected = () => span;
  highlights.ask = (...given) => pane.calls.push(["ask which", ...given]);
  return [highlights, pane];
}
const SPAN = { start: 2, end: 6, quote: "pipe" };

test("the words are kept for the topic of the text", async () => {
  const [highlights, pane] = highlightsOf([2], SPAN);
  await highlights.add();
  assert.deepEqual(callsOf(pane, "send"), [[{ kind: "highlight", position: 0, why: 2, ...SPAN }]]);
});

test("of several topics one is asked for; without any, or without words, nothing is kept", async () => {
  for (const [permitted, span, call] of [[[1, 2], SPAN, "ask which"], [[], SPAN, "showNotice"], [[1], null, "showNotice"]]) {
    const [highlights, pane] = highlightsOf(permitted, span);
    await highlights.add();
    assert.equal(callsOf(pane, call).length, 1);
    assert.deepEqual(callsOf(pane, "send"), []);
  }
});
