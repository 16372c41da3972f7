// Numbers and times as the pane writes them.
import assert from "node:assert/strict";
import { test } from "node:test";

import { paneModule } from "./sources.js";

const { ago, capitalised, number, percent, plural } = await paneModule("format.js");

test("numbers and their nouns", () => {
  assert.equal(number(200000), "200,000");
  assert.deepEqual([plural(1, "text"), plural(1200, "text"), plural(0, "match", "matches")], ["1 text", "1,200 texts", "0 matches"]);
  assert.equal(capitalised("roads and lamps"), "Roads and lamps");
});

test("shares are whole percents; a little is not nothing, nearly all is not all", () => {
  assert.deepEqual([0, 0.004, 0.005, 0.254, 0.994, 0.996, 1].map(percent), ["0 %", "<1 %", "1 %", "25 %", "99 %", ">99 %", "100 %"]);
});

test("how long ago, down to the day", () => {
  const now = Date.parse("2026-03-04T12:00:00Z");
  const before = (seconds) => ago(new Date(now - seconds * 1000).toISOString(), now);
  assert.deepEqual([0, 30, 120, 7200].map(before), ["just now", "30 s ago", "2 min ago", "2 h ago"]);
  assert.equal(before(-60), "just now", "clocks differ");
  assert.match(before(3 * 86400), /March 1, 2026/);
});
