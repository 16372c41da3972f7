// Hundreds of topics: those of the text first, and any of them by a few letters.
import assert from "node:assert/strict";
import { test } from "node:test";

import { cardAt, viewOf } from "./fake_pane.js";
import { paneModule } from "./sources.js";

const { splitTopics, topicOfName, topicsNamed } = await paneModule("topic_list.js");

const ids = (topics) => topics.map((topic) => topic.id);
const named = (...names) => names.map((name, i) => ({ id: i, name }));
const draft = (permitted, forbidden = []) => ({ permitted, forbidden });

test("topics are found by parts of words, those that begin so first", () => {
  const topics = named("Late refund", "Refund missing", "Exchange rates", "REFUND");
  assert.deepEqual(ids(topicsNamed(topics, "refund")), [1, 3, 0]);
  assert.deepEqual(ids(topicsNamed(topics, "mis ref")), [1]);
  assert.deepEqual(topicsNamed(topics, "zz"), []);
  assert.equal(topicOfName(topics, " exchange RATES ").id, 2);
  assert.equal(topicOfName(topics, "exchange"), undefined);
});

test("few topics stay in one list", () => {
  const view = viewOf({ topics: 30, card: cardAt(0, { shares: { t7: 0.9 } }) });
  assert.deepEqual(splitTopics(view, draft([3])), { likely: [], others: view.topics });
});

test("of many, labels and the strongest come first, each once", () => {
  const shares = { t7: 0.2, t40: 0.5, t9: 0.01, t3: 0.1 };
  const { likely, others } = splitTopics(viewOf({ topics: 60, card: cardAt(0, { shares }) }), draft([50, 3], [8]));
  assert.deepEqual(ids(likely), [3, 50, 40, 7, 8]);
  assert.equal(others.length, 55);
  assert.ok(!others.some((topic) => likely.includes(topic)));
});
