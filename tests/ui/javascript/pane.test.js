// The whole pane on a light DOM, with a server that answers what a test says.
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { readFile } from "node:fs/promises";

import { cardAt, labelBy, viewOf } from "./fake_pane.js";
import { openDocument, skip } from "./dom.js";
import { FakeEventSource, openPage, settled } from "./browser.js";
import { paneFile, paneModule } from "./sources.js";

const { default: mount } = await paneModule("component.js");
const HTML = await readFile(paneFile("pane.html"), "utf-8");
const DATA = { project: 7, author: "ann", token: "ann.secret", modes: [["mixed", "Mixed", ""], ["random", "Random", ""]] };

let browser;
let root;
let requests;
let answer; // to the next request
let asked; // for a new token
let unmount;

const textOf = (position) => cardAt(position, { pieces: [[`text ${position}`, null, 0, false, false]], side: [], reason: "" });
const answerWith = (more = {}) => ({ ...viewOf({ card: textOf(0), upcoming: textOf(1), ...more }), problem: "", fit: { type: "fit", phase: "idle" } });
const run = (data = DATA) => mount({ data, parentElement: root, setTriggerValue: (name) => asked.push(name) });
const sent = () => requests.filter(([address]) => address === "api/requests").map(([, body]) => body.request);
const shown = () => root.querySelector(".text")?.textContent;

beforeEach(async () => {
  if (skip) return;
  browser = openPage();
  root = openDocument(HTML);
  Object.assign(document, { hidden: false });
  Object.assign(window, { innerHeight: 800, scrollY: 0 });
  Object.assign(globalThis, { setInterval: () => 0, clearInterval: () => {} });
  root.querySelector(".desk").getBoundingClientRect = () => ({ top: 100 });
  requests = [];
  asked = [];
  answer = answerWith();
  globalThis.fetch = async (address, { body } = {}) => {
    requests.push([address, body && JSON.parse(body)]);
    return { status: 200, json: async () => structuredClone(answer) };
  };
  unmount = run();
  await settled();
});

afterEach(() => skip || unmount());

function press(key) {
  const event = new root.Event("keydown", { bubbles: true, cancelable: true });
  Object.assign(event, { key, code: "", composedPath: () => [{}] });
  document.dispatchEvent(event);
}

test("the first answer is drawn", { skip }, () => {
  assert.equal(shown(), "text 0");
  assert.equal(root.querySelectorAll("#queue .row").length, 3);
  assert.equal(root.querySelectorAll("#topics .pick").length, 3);
  assert.equal(root.querySelector("#about .title span").textContent, "0 of 3 labelled, 3 waiting");
  assert.equal(root.querySelector(".desk").dataset.list, "queue ");
});

test("a rerun of the page keeps the pane, another project gets a new one", { skip }, async () => {
  run();
  await settled();
  assert.equal(requests.length, 1);
  unmount();
  unmount = run({ ...DATA, project: 8 });
  await settled();
  assert.match(requests.at(-1)[0], /project=8/);
  assert.equal(FakeEventSource.connected.length, 1);
});

test("a label costs one request, and Enter shows the next text before it is answered", { skip }, async () => {
  answer = { ...answer, label_state: { ...cardAt(0), label: labelBy("ann", [1]) } };
  press("1");
  await settled();
  assert.equal(root.querySelector(".label-state.saved b").textContent, "Topic 1");
  globalThis.fetch = (address, { body }) => {
    requests.push([address, JSON.parse(body)]);
    return new Promise(() => {});
  };
  press("Enter");
  await settled();
  assert.equal(shown(), "text 1");
  assert.deepEqual(sent().map((request) => request.kind), ["label", "next"]);
  assert.equal(requests.length, 3);
});

/** Answers in the order asked, each when a test says so; the time between them is up to it too. */
function heldAnswers(t) {
  const waiting = [];
  let now = 1000;
  t.mock.method(performance, "now", () => now);
  globalThis.fetch = () => new Promise((resolve) => waiting.push(resolve));
  return async (position, after = 0) => {
    now += after;
    const card = answerWith({ card: textOf(position), upcoming: null });
    waiting.shift()({ status: 200, json: async () => card });
    await settled();
    return shown();
  };
}

test("a text that the next key replaces at once is not drawn", { skip }, async (t) => {
  const answered = heldAnswers(t);
  for (const key of ["s", "s", "s", "s"]) press(key);
  await settled();
  assert.equal(await answered(1), "text 0");
  assert.equal(await answered(2, 149), "text 0");
  assert.equal(await answered(1, 1), "text 1", "but at the latest after 150 ms");
  assert.equal(await answered(2), "text 2", "and when no key is left");
});

test("a text that was not drawn is drawn when no job is left, whatever the last one did", { skip }, async (t) => {
  const answered = heldAnswers(t);
  press("s");
  press("r"); // does nothing
  await settled();
  assert.equal(await answered(1), "text 1");
});

test("a conflict is shown, and the keys that were to follow are dropped", { skip }, async () => {
  const dialog = root.querySelector("#veil");
  Object.assign(dialog, { open: false, showModal: () => (dialog.open = true), close: () => (dialog.open = false) });
  const theirs = { ...textOf(0), label: labelBy("Bob", [2]) };
  answer = { conflict: "Bob has labelled this text meanwhile.", view: answerWith({ card: theirs }) };
  press("1");
  press("Enter");
  press("3");
  await settled();
  assert.deepEqual(sent().map((request) => request.kind), ["label"]);
  assert.match(dialog.textContent, /Bob: May contain Topic 2You: May contain Topic 1/);
});

test("a refit that ended brings new topics, and the text that is read stays", { skip }, async () => {
  answer = answerWith({ card: { ...textOf(0), pieces: [["other", null, 0, false, false]] }, topics: 4 });
  FakeEventSource.connected[0].send({ type: "fit", phase: "done", run: 2 });
  await settled();
  assert.equal(root.querySelectorAll("#topics .pick").length, 4);
  assert.equal(shown(), "text 0");
});

test("a preview is replaced by the full fit, and the line follows the stage asked for last", { skip }, async () => {
  const refit = (number, preview) => ({ run: number, preview, seconds: 1, finished: new Date().toISOString(), adherence: 1, labelled: 5, change: null });
  const { dataset } = root.querySelector(".desk");
  const send = async (event) => {
    FakeEventSource.connected[0].send({ type: "fit", share: 0, seconds_left: null, run: null, ...event });
    await settled();
  };
  answer = { ...answerWith({ refit: refit(2, true) }), fit: { type: "fit", kind: "full fit", number: 2, phase: "running", share: 0, seconds_left: null } };
  await send({ kind: "fit", number: 1, phase: "done", run: 2 });
  assert.deepEqual([dataset.run, dataset.stage], ["2", "preview"]);
  assert.match(root.querySelector("#line").textContent, /Preview; the full fit follows/);
  await send({ kind: "fit", number: 3, phase: "waiting", run: 2 });
  await send({ kind: "full fit", number: 2, phase: "cancelled" });
  assert.match(root.querySelector("#line").textContent, /Preview; the full fit follows/, "the next fit waits already");
  await send({ kind: "fit", number: 3, phase: "running", share: 0.5 });
  await send({ kind: "full fit", number: 4, phase: "waiting" });
  assert.match(root.querySelector("#line").textContent, /refitting 50 %/, "what runs is told, whatever waits behind it");
  answer = { ...answerWith({ refit: refit(3, false) }), fit: { type: "fit", kind: "full fit", number: 4, phase: "done", run: 3 } };
  await send({ kind: "full fit", number: 4, phase: "done", run: 3 });
  assert.deepEqual([dataset.run, dataset.stage], ["3", "resting"]);
  assert.match(root.querySelector("#line").textContent, /refitted/);
});

test("one's own events are no news, those of others are", { skip }, async () => {
  answer = { ...answer, label_state: { ...cardAt(0), label: labelBy("ann", [1]) } };
  press("1");
  await settled();
  const { client } = requests.at(-1)[1];
  FakeEventSource.connected[0].send({ type: "recorded", client, author: "ann", position: 0 });
  await settled();
  assert.equal(requests.length, 2);
  answer = answerWith();
  FakeEventSource.connected[0].send({ type: "recorded", client: "other", author: "Bob", position: 0 });
  await settled();
  assert.equal(requests.length, 3);
  assert.equal(root.querySelector("#line .notice").textContent, "Bob has just labelled this text.");
});

test("an address that names a text that is not there leads to the queue", { skip }, async () => {
  unmount();
  location.search = "?document=99";
  const answers = [{ error: "There is no such text in this project." }, answerWith()];
  globalThis.fetch = async (address) => {
    requests.push([address]);
    return { status: 404, json: async () => answers.shift() };
  };
  unmount = run({ ...DATA, project: 9 });
  await settled();
  assert.match(requests.at(-2)[0], /document=99/);
  assert.doesNotMatch(requests.at(-1)[0], /document/);
  assert.equal(shown(), "text 0");
});

test("the place is saved after the card is drawn", { skip }, () => {
  assert.equal(location.search, "");
  browser.clock.pass(30);
  assert.equal(location.search, "?project=7&mode=mixed&document=0");
});

test("a stream that is refused asks the page for a new token", { skip }, () => {
  FakeEventSource.connected[0].refuse();
  assert.deepEqual(asked, ["renew"]);
});

test("a pane that is taken away hears no keys and no events", { skip }, async () => {
  unmount();
  press("1");
  await settled();
  assert.deepEqual(sent(), []);
  assert.deepEqual(FakeEventSource.connected, []);
});

test("the menu of saved searches is counted when it opens, and each is a queue", { skip }, async () => {
  assert.equal(root.querySelector("#saved button"), null, "nothing is saved yet");
  answer = answerWith({ saved: ["Loud"] });
  press("s");
  await settled();
  answer = { saved: [{ name: "Loud", search: "music <b>", author: "ann", left: 1200, problem: "" }] };
  press("q");
  await settled();
  const entry = root.querySelector("#saved li button");
  assert.equal(entry.querySelector("span").textContent, "1,200 left");
  assert.equal(entry.querySelector("small").textContent, "music <b>");
  answer = answerWith({ saved: ["Loud"], mode: "saved:Loud", list: { kind: "saved", title: "Loud" } });
  entry.dispatchEvent(new root.Event("click"));
  await settled();
  assert.match(requests.at(-1)[0], /mode=saved%3ALoud/);
  assert.equal(root.querySelector("#saved .on span").textContent, "Loud");
  assert.equal(root.querySelector("#queue h2 span").textContent, "3 left");
  assert.equal(root.querySelector("#saved .menu"), null);
});

test("Q says that nothing is saved yet", { skip }, async () => {
  press("q");
  await settled();
  assert.equal(root.querySelector("#line .notice").textContent, "No search is saved yet. Search for something and press “Save search…”.");
  assert.equal(root.querySelector("#saved .menu"), null);
});

test("the list begins at its top where the current text is among the first", { skip }, async () => {
  const list = root.querySelector("#queue .rows");
  const scrolled = [];
  Object.assign(list, { scrollTop: 300, clientHeight: 200, scrollHeight: 2000, scrollTo: (to) => scrolled.push(to) });
  list.dispatchEvent(new root.Event("scroll", { bubbles: true }));
  press("e");
  await settled();
  assert.deepEqual(scrolled, [], "the same text: a reader looks further down");
  answer = answerWith({ list: { kind: "search", title: "music" } });
  press("s");
  await settled();
  assert.deepEqual(scrolled, [{ top: 0 }]);
});

test("the help beside the search lists filters and the columns of the file", { skip }, async () => {
  answer = { all: [["is:unlabelled", "or labelled"]], columns: [["region:", "North, South"]] };
  root.querySelector("#filters").dispatchEvent(new root.Event("click"));
  await settled();
  const hints = root.querySelector("#hints");
  assert.equal(hints.hidden, false);
  assert.deepEqual([...hints.querySelectorAll("code")].map((each) => each.textContent), ["is:unlabelled", "region:"]);
});
