// What a key or a click makes of a label, and what is shown when it has reached the disk.
import assert from "node:assert/strict";
import { test } from "node:test";

import { callsOf, cardAt, fakePane, labelBy, viewOf } from "./fake_pane.js";
import { paneModule } from "./sources.js";

const { Labels, seenLabel, withSavedLabel } = await paneModule("labels.js");
const { KeepProposal } = await paneModule("proposal.js");

const labelsOf = (label, answer) => {
  const pane = fakePane(viewOf({ card: cardAt(0, { label }) }), answer);
  pane.labels = new Labels(pane);
  return [pane.labels, pane];
};
const sent = (pane) => callsOf(pane, "send").map(([request]) => request);

test("a topic is permitted, taken back, and no longer forbidden", async () => {
  const [labels, pane] = labelsOf(labelBy("ann", [1], { forbidden: [2], nothing_fits: true }));
  await labels.permit(2);
  await labels.permit(1);
  assert.deepEqual(sent(pane).map(({ permitted, forbidden }) => [permitted, forbidden]), [[[1, 2], []], [[], [2]]]);
  assert.deepEqual(sent(pane).map((request) => request.nothing_fits), [false, false]);
});

test("a topic is forbidden, taken back, and no longer permitted", async () => {
  const [labels, pane] = labelsOf(labelBy("ann", [1], { forbidden: [2] }));
  await labels.forbid(1);
  await labels.forbid(2);
  assert.deepEqual(sent(pane).map(({ permitted, forbidden }) => [permitted, forbidden]), [[[], [2, 1]], [[1], []]]);
});

test("nothing fits leaves no topic permitted", async () => {
  const [labels, pane] = labelsOf(labelBy("ann", [1, 2]));
  await labels.toggleNothingFits();
  assert.deepEqual(sent(pane)[0].permitted, []);
  assert.equal(sent(pane)[0].nothing_fits, true);
});

test("a request says which label it was made on", async () => {
  const [first, unlabelled] = labelsOf(null);
  const [second, labelled] = labelsOf(labelBy("ann", [1]));
  await first.permit(1);
  await second.permit(2);
  await second.save({ permitted: [3] }, { seenEvent: 17 });
  assert.equal(sent(unlabelled)[0].seen, 0);
  assert.deepEqual(sent(labelled).map((request) => request.seen), [9, 17]);
});

test("how sure one is waits for the first label of a text", async () => {
  const [labels, pane] = labelsOf(null);
  await labels.nextConfidence();
  assert.deepEqual(sent(pane), []);
  await labels.permit(1);
  assert.equal(sent(pane)[0].confidence, "unsure");
});

test("a key code finds its topic; one that nobody has changes nothing", async () => {
  const [labels, pane] = labelsOf(null);
  await labels.toggleByCode("2", false);
  await labels.toggleByCode("3", true);
  await labels.toggleByCode("0z", false);
  assert.deepEqual(sent(pane).map(({ permitted, forbidden }) => [permitted, forbidden]), [[[2], []], [[], [3]]]);
  assert.equal(callsOf(pane, "drawLine").length, 1);
});

test("a refused label drops the jobs that were meant to follow it", async () => {
  const [labels, pane] = labelsOf(null, { conflict: "Bob was quicker.", view: {} });
  await labels.permit(1);
  assert.equal(callsOf(pane, "dropWaitingJobs").length, 1);
  const [answer] = callsOf(pane, "takeAnswer")[0];
  assert.deepEqual(answer.draft.permitted, [1], "the label goes along, to be confirmed");
});

test("a refused label shows the text as it is now: what it was about may be gone", async () => {
  const sentence = "The project has no topic 8.";
  const [labels, pane] = labelsOf(null, { error: sentence });
  await labels.permit(1);
  assert.deepEqual(callsOf(pane, "refresh"), [[sentence]]);
});

test("a new topic is permitted in the open text, an adopted one is not", async () => {
  const [labels, pane] = labelsOf(null, { topics: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }] });
  await labels.createTopic("Lamps");
  await labels.createTopic("Roads", { run: 1, topic: 5, key: "Free 2" });
  assert.deepEqual(sent(pane).map((request) => request.kind), ["create_topic", "label", "create_topic"]);
  assert.deepEqual(sent(pane)[1].permitted, [4]);
  assert.equal(sent(pane)[2].free_topic.key, "Free 2", "its run may be gone by then");
});

test("a name that is there already is that topic, not a new one", async () => {
  const [labels, pane] = labelsOf(null, { topics: [{ id: 1 }] });
  await labels.createTopic("  topic 2 ");
  assert.deepEqual(sent(pane).map(({ kind, permitted }) => [kind, permitted]), [["label", [2]]]);
});

test("a label that came from somebody else after the key was pressed is not built upon", () => {
  const now = cardAt(0, { label: labelBy("bob", [2]) });
  assert.equal(seenLabel(now, cardAt(0), "ann"), null);
  assert.equal(seenLabel(now, cardAt(1), "ann"), now.label, "another text was open: as it is now");
  assert.equal(seenLabel(now, cardAt(0), "bob"), now.label, "one's own label counts at once");
  assert.equal(seenLabel(now, null, "ann"), now.label);
});

const saved = (view, position, label) =>
  withSavedLabel(view, { label_state: { ...cardAt(position), label }, project: { labelled: 1 }, revision: 2, topics: view.topics });

test("a saved label is shown on the card, in the list and in the count", () => {
  const view = saved(viewOf(), 0, labelBy("ann", [1]));
  assert.deepEqual(view.card.label.permitted, [1]);
  assert.deepEqual(view.queue.map((row) => row.labels), [[1], [], []]);
  assert.equal(view.waiting, 2);
});

test("a text counts once, and again when its label is taken back", () => {
  const once = saved(viewOf(), 0, labelBy("ann", [1]));
  assert.equal(saved(once, 0, labelBy("ann", [1, 2])).waiting, 2);
  assert.equal(saved(once, 0, null).waiting, 3);
  assert.equal(saved(viewOf({ list: { kind: "search", title: "" } }), 0, labelBy("ann", [1])).waiting, 3);
});

const FREE = { run: 3, topic: 5, key: "Free 1", name: "payment, decline", words: ["payment", "decline"] };
const proposing = (shares, more = {}) => {
  const pane = fakePane(viewOf({ card: cardAt(0, { shares }), free_topics: [FREE], ...more }), { topics: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4, name: "Refunds" }] });
  pane.labels = new Labels(pane);
  pane.proposal = new KeepProposal(pane);
  return pane;
};

test("a new name for a text that a free topic clearly holds proposes to keep that topic", async () => {
  const pane = proposing({ t1: 0.3, f5: 0.7 });
  await pane.labels.createTopic("Refunds");
  assert.deepEqual(pane.proposal.shown, { topic: { id: 4, name: "Refunds" }, free: FREE, document: 0 });
  await pane.proposal.accept();
  assert.deepEqual(sent(pane).at(-1), { kind: "keep_free", topic: 4, free_topic: { run: 3, topic: 5, key: "Free 1" } });
  assert.equal(pane.proposal.shown, null);
  await pane.proposal.accept();
  assert.equal(sent(pane).length, 3, "a second yes says nothing more");
});

test("no proposal where a named topic holds the text, the share is small, or labels do not bind", async () => {
  for (const pane of [proposing({ t1: 0.6, f5: 0.4 }), proposing({ f5: 0.4, t1: 0.35 }), proposing({}), proposing({ f5: 0.9 }, { obeys: false }), proposing({ f5: 0.9 }, { free_topics: [] })]) {
    await pane.labels.createTopic("Refunds");
    assert.equal(pane.proposal.shown, null);
  }
  const adopting = proposing({ f5: 0.9 });
  await adopting.labels.createTopic("Refunds", { run: 3, topic: 5, key: "Free 1" });
  assert.equal(adopting.proposal.shown, null);
});

test("a proposal can be turned down, and says whether there was one", async () => {
  const pane = proposing({ f5: 0.9 });
  assert.equal(pane.proposal.dismiss(), false);
  await pane.labels.createTopic("Refunds");
  assert.equal(pane.proposal.dismiss(), true);
  assert.equal(pane.proposal.shown, null);
  assert.equal(sent(pane).some((request) => request.kind === "keep_free"), false);
});
