// What a key means, however fast keys come.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { callsOf, fakePane, viewOf } from "./fake_pane.js";
import { openPage } from "./browser.js";
import { paneModule } from "./sources.js";

const { Keys, isTextField, plainKey } = await paneModule("keys.js");

let browser;
let pane;

/** A pane that notes which of its parts are used. */
function paneWithKeys(topics = 12) {
  const made = fakePane(viewOf({ topics }));
  const part = (name) => new Proxy({}, { get: (_, method) => (...given) => made.calls.push([`${name}.${String(method)}`, ...given]) });
  Object.assign(made, { labels: part("labels"), navigation: part("navigation"), bulk: part("bulk"), codebook: part("codebook"), changes: part("changes") });
  made.dialog = { shown: false, keys: {}, close: () => made.calls.push(["dialog.close"]) };
  made.undoOrRedo = (kind) => made.calls.push([kind]);
  made.waiting = [];
  made.inTurn = (job) => made.waiting.push(job);
  made.root = { activeElement: null, querySelector: () => null };
  made.jobs = { runNested: async (start) => start() };
  made.keys = new Keys(made);
  return made;
}

beforeEach(() => {
  browser = openPage();
  pane = paneWithKeys();
});

function press(key, { target = {}, code = "", ...more } = {}) {
  const event = new Event("keydown", { cancelable: true });
  Object.assign(event, { key, code, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, isComposing: false, ...more });
  event.composedPath = () => [target];
  browser.page.dispatchEvent(event);
  return event;
}

async function done() {
  for (const job of pane.waiting.splice(0)) await job();
  return pane.calls;
}

const CASES = [
  ["the key itself", { key: "5", code: "Digit5" }, "5"],
  ["a capital as its letter", { key: "S", code: "KeyS" }, "s"],
  ["a shifted digit as what it writes", { key: "!", code: "Digit1" }, "!"],
  ["the number pad without its lock", { key: "End", code: "Numpad1" }, "1"],
  ["Alt with a digit, whatever it writes", { key: "¡", code: "Digit1", altKey: true }, "1"],
  ["Alt with a letter, whatever it writes", { key: "å", code: "KeyA", altKey: true }, "a"],
  ["a letter of another layout as it is written", { key: "z", code: "KeyY" }, "z"],
];
for (const [name, event, expected] of CASES)
  test(`plain key: ${name}`, () => assert.equal(plainKey({ altKey: false, ...event }), expected));

test("L asks for the texts like this one", async () => {
  pane.search = { findSimilar: () => pane.calls.push(["findSimilar"]) };
  press("l");
  assert.deepEqual(await done(), [["findSimilar"]]);
});

test("letters typed into a field are no commands", () => {
  assert.ok(isTextField({ tagName: "TEXTAREA" }));
  assert.ok(isTextField({ tagName: "INPUT", type: "search" }));
  assert.ok(isTextField({ tagName: "DIV", isContentEditable: true }));
  assert.ok(!isTextField({ tagName: "INPUT", type: "checkbox" }));
  assert.ok(!isTextField({ tagName: "BUTTON" }));
  assert.ok(!press("s", { target: { tagName: "INPUT", type: "text" } }).defaultPrevented);
  assert.deepEqual(pane.waiting, []);
});

test("Escape leaves a field, and does nothing else", () => {
  let left = 0;
  press("Escape", { target: { tagName: "TEXTAREA", blur: () => (left += 1) } });
  assert.equal(left, 1);
  assert.deepEqual(pane.waiting, []);
});

test("digits permit, with Alt they forbid", async () => {
  press("1", { code: "Digit1" });
  press("¡", { code: "Digit1", altKey: true });
  assert.deepEqual(await done(), [["labels.toggleByCode", "1", false], ["labels.toggleByCode", "1", true]]);
});

test("two keys are one code, even if both come before the first is done", async () => {
  for (const key of ["0", "b", "1"]) press(key);
  assert.deepEqual(await done(), [["drawLine"], ["labels.toggleByCode", "0b", false], ["labels.toggleByCode", "1", false]]);
});

test("with nine topics there are no two-key codes", () => {
  pane.keys.release();
  pane = paneWithKeys(9);
  assert.ok(!press("0").defaultPrevented);
  assert.equal(pane.keys.prefix, "");
});

test("commands run in the order in which they were pressed", async () => {
  for (const key of ["Enter", "S", "ArrowLeft", "ArrowDown", "a"]) press(key);
  assert.deepEqual((await done()).map(([name]) => name),
    ["navigation.next", "navigation.skip", "navigation.goBack", "navigation.step", "bulk.open"]);
});

test("Control turns back and forth; other shortcuts stay the browser's", async () => {
  press("z", { ctrlKey: true });
  press("Z", { ctrlKey: true, shiftKey: true });
  press("y", { metaKey: true });
  assert.ok(!press("s", { ctrlKey: true }).defaultPrevented);
  assert.deepEqual(await done(), [["undo"], ["redo"], ["redo"]]);
});

test("Streamlit's own keys do nothing here", async () => {
  assert.ok(press("r").defaultPrevented && press("c").defaultPrevented);
  assert.deepEqual(await done(), []);
});

test("a focused button keeps Enter and Space", () => {
  const target = { tagName: "BUTTON", matches: (selector) => selector === ":focus-visible" };
  assert.ok(!press("Enter", { target }).defaultPrevented);
  assert.ok(!press(" ", { target }).defaultPrevented);
  assert.ok(press("s", { target }).defaultPrevented);
});

test("in a dialog only its own keys, Escape and ? count", async () => {
  pane.dialog.shown = true;
  pane.dialog.keys = { b: () => pane.calls.push(["own"]) };
  for (const key of ["b", "Escape", "?", "1", "s"]) press(key);
  assert.deepEqual(await done(), [["own"], ["dialog.close"], ["dialog.close"]]);
});

test("while a dialog of Streamlit's is open, or an input method composes, no key is ours", () => {
  assert.ok(!press("s", { isComposing: true }).defaultPrevented);
  browser.page.querySelector = () => ({});
  assert.ok(!press("s").defaultPrevented);
});

test("what is typed before a field is open goes into it, with Enter at its end", async () => {
  const typed = [];
  const field = Object.assign(new EventTarget(), { selectionStart: 0, selectionEnd: 0, setRangeText: (text) => typed.push(text) });
  field.addEventListener("keydown", ({ key }) => typed.push(key));
  globalThis.KeyboardEvent = class extends Event {
    constructor(name, { key }) {
      super(name);
      this.key = key;
    }
  };
  pane.root.activeElement = field;
  for (const key of ["t", "L", "x", "Backspace", "1", "Enter", "1"]) press(key);
  await done();
  assert.deepEqual(typed, ["L1", "Enter"]);
  assert.deepEqual(pane.calls, [["draw"], ["labels.toggleByCode", "1", false]], "after Enter keys are commands again");
});

test("jobs that are dropped take their typed keys along", () => {
  press("0");
  pane.keys.forget();
  assert.equal(pane.keys.prefix, "");
});

test("a released listener hears nothing", () => {
  pane.keys.release();
  assert.ok(!press("s").defaultPrevented);
});

test("a code may have several first keys, and a dot opens the field that finds topics", async () => {
  for (const key of ["0", "=", "7", "1"]) press(key);
  for (const job of pane.waiting) await job();
  assert.deepEqual(callsOf(pane, "labels.toggleByCode"), [["0=7", false], ["1", false]]);
  press(".");
  await pane.waiting.at(-1)();
  assert.equal(pane.form.kind, "find");
});
