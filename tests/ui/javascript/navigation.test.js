// Going from text to text: what is shown at once, and where one comes back to.
import assert from "node:assert/strict";
import { test } from "node:test";

import { callsOf, cardAt, fakePane, labelBy, viewOf } from "./fake_pane.js";
import { paneModule } from "./sources.js";

const { Navigation } = await paneModule("navigation.js");
const { Labels, confirmsByLeaving } = await paneModule("labels.js");

function paneAt(more = {}) {
  const pane = fakePane(viewOf(more));
  pane.labels = new Labels(pane);
  pane.navigation = new Navigation(pane);
  pane.takeAnswer = (_answer, options) => {
    pane.calls.push(["takeAnswer", options]);
    pane.view = { ...pane.view, card: cardAt(pane.place.document) };
  };
  return pane;
}
const labelled = { card: cardAt(0, { label: labelBy("ann", [1]) }) };
const names = (pane) => pane.calls.map(([name]) => name);

test("the next text is shown before the server is told", async () => {
  const pane = paneAt({ ...labelled, upcoming: cardAt(1) });
  pane.navigation.ahead = [2];
  const answered = pane.navigation.next();
  assert.deepEqual(names(pane), ["resetCardState", "show", "sendToServer"]);
  const [view, options] = callsOf(pane, "show")[0];
  assert.equal(view.card.position, 1);
  assert.deepEqual(options, { cardOnly: true });
  await answered;
  const [from, request] = callsOf(pane, "sendToServer")[0];
  assert.equal(from.document, 0);
  assert.deepEqual(request, { kind: "next", to: 1 });
  assert.deepEqual([pane.navigation.back, pane.navigation.ahead], [[0], []]);
});

test("a text without a label is not left by Enter", () => {
  const pane = paneAt({ upcoming: cardAt(1) });
  pane.navigation.next();
  assert.deepEqual(names(pane), ["showNotice"]);
});

test("a reader goes on from any text, and says nothing by it", async () => {
  for (const card of [cardAt(0), cardAt(0, { label: labelBy("bob", [1]) })]) {
    const pane = paneAt({ card });
    pane.data.reader = true;
    await pane.navigation.next();
    assert.deepEqual(callsOf(pane, "send"), [[{ kind: "next" }]]);
  }
});

test("without a text that came along the server is asked", async () => {
  const pane = paneAt(labelled);
  await pane.navigation.next();
  assert.deepEqual(callsOf(pane, "send"), [[{ kind: "next" }]]);
});

test("back and forward lead the same way", async () => {
  const pane = paneAt();
  await pane.navigation.open(1);
  await pane.navigation.open(2);
  await pane.navigation.goBack();
  assert.equal(pane.view.card.position, 1);
  await pane.navigation.goBack();
  assert.equal(pane.view.card.position, 0);
  await pane.navigation.goForward();
  await pane.navigation.goForward();
  assert.equal(pane.view.card.position, 2);
  assert.deepEqual([pane.navigation.back, pane.navigation.ahead], [[0, 1], []]);
});

test("there is nothing before the first text", () => {
  const pane = paneAt();
  assert.equal(pane.navigation.goBack(), undefined);
  assert.deepEqual(pane.calls, []);
});

test("arrows step through the list and stop at its end", async () => {
  const pane = paneAt();
  await pane.navigation.step(1);
  await pane.navigation.step(1);
  await pane.navigation.step(1);
  assert.equal(pane.view.card.position, 2);
  assert.equal(callsOf(pane, "ask").length, 2);
});

test("modes follow one another, and each begins its own list", async () => {
  const pane = paneAt();
  pane.place.search = "lamp";
  await pane.navigation.nextMode();
  assert.deepEqual(callsOf(pane, "ask")[0][0], { mode: "random", search: "", documents: "", document: null });
  assert.equal(callsOf(pane, "clear").length, 1);
  await pane.navigation.nextMode();
  assert.equal(pane.place.mode, "mixed");
});

test("a selection keeps the mode", async () => {
  const pane = paneAt();
  await pane.navigation.openSelection("ab12");
  assert.deepEqual(callsOf(pane, "ask")[0][0], { mode: "mixed", search: "", documents: "ab12", document: null });
});

test("Enter on somebody else's label is an own label, on disk before the next text", async () => {
  const pane = paneAt({ card: cardAt(0, { label: labelBy("bob", [1]) }), upcoming: cardAt(1) });
  pane.send = (request) => {
    pane.calls.push(["send", request]);
    return Promise.resolve({ ...pane.view, label_state: cardAt(0, { label: labelBy("ann", [1]) }) });
  };
  pane.show = (view) => {
    pane.calls.push(["show", view.card.position]);
    pane.view = view;
  };
  await pane.navigation.next();
  const [[request]] = callsOf(pane, "send");
  assert.deepEqual([request.kind, request.permitted, request.seen, request.spoken], ["label", [1], 9, true]);
  assert.deepEqual(callsOf(pane, "show"), [[0], [1]]);
});

test("a label that cannot be kept is not left", async () => {
  const pane = paneAt({ card: cardAt(0, { label: labelBy("bob", [1]) }), upcoming: cardAt(1) });
  await pane.navigation.next();
  assert.deepEqual(callsOf(pane, "show"), []);
});

test("a doubled text is confirmed once", () => {
  const own = { label: labelBy("ann", [1]), doubled: true };
  assert.equal(confirmsByLeaving(cardAt(0, { ...own, spoken: false }), "ann"), true);
  assert.equal(confirmsByLeaving(cardAt(0, { ...own, spoken: true }), "ann"), false);
  assert.equal(confirmsByLeaving(cardAt(0, { label: labelBy("ann", [1]) }), "ann"), false);
});
