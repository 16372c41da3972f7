// The hidden listener: which events rerun a page, and with which value.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { FakeEventSource, openPage } from "./browser.js";
import { liveModule } from "./sources.js";

const { default: mount } = await liveModule();

let browser;
let values;
let element;

beforeEach(() => {
  browser = openPage();
  values = [];
  element = {};
});

const run = (data = {}) =>
  mount({
    data: { url: "/events?token=a", run: 4, tasks: ["evaluation"], ...data },
    parentElement: element,
    setStateValue: (name, value) => values.push([name, value]),
  });

const send = (event) => FakeEventSource.opened.at(-1).send(event);

test("a newer fit reruns the page once", () => {
  run();
  send({ type: "fit", phase: "done", run: 5 });
  send({ type: "fit", phase: "done", run: 5 });
  assert.deepEqual(values, [["run", 5]]);
});

test("the fit that is shown, and one under way, are no news", () => {
  run();
  send({ type: "fit", phase: "done", run: 4 });
  send({ type: "fit", phase: "running", run: 4, number: 9 });
  assert.deepEqual(values, []);
});

test("a fit that failed or was stopped reruns the page, each job with its own value", () => {
  run();
  send({ type: "fit", phase: "failed", number: 7 });
  send({ type: "fit", phase: "cancelled", number: 8 });
  assert.deepEqual(values, [["run", -7], ["run", -8]]);
});

for (const phase of ["done", "failed", "cancelled"]) {
  test(`work that is ${phase} reruns the pages that wait for it`, () => {
    run();
    send({ type: "task", kind: "evaluation", phase, number: 3 });
    send({ type: "task", kind: "other", phase, number: 4 });
    assert.deepEqual(values, [["run", "evaluation 3"]]);
  });
}

test("a rerun keeps the connection, and its data count", () => {
  run();
  run({ run: 6, tasks: [] });
  send({ type: "fit", phase: "done", run: 6 });
  send({ type: "task", kind: "evaluation", phase: "done", number: 3 });
  assert.equal(FakeEventSource.opened.length, 1);
  assert.deepEqual(values, []);
});

test("a page that was hidden asks what ended meanwhile, if it waits for work", () => {
  run();
  browser.see(false);
  browser.see(true);
  assert.match(values[0][1], /^seen again \d+$/);
  run({ tasks: [] });
  browser.see(false);
  browser.see(true);
  assert.equal(values.length, 1);
});

test("a refused stream asks for a new token after two seconds, and follows it", () => {
  run();
  FakeEventSource.opened[0].refuse();
  assert.deepEqual(values, []);
  browser.clock.pass(2000);
  assert.ok(values[0][1] < 0);
  run({ url: "/events?token=b" });
  assert.deepEqual(FakeEventSource.connected.map((each) => each.url), ["/events?token=b"]);
  assert.equal(values.length, 1, "the rerun has just drawn everything");
});

test("a listener that is taken away holds no connection", () => {
  run()();
  browser.see(true);
  assert.deepEqual(FakeEventSource.connected, []);
});
