// A page that nobody sees holds no event stream; whoever comes back is told what was missed.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { FakeEventSource, openPage } from "./browser.js";
import { sharedModule } from "./sources.js";

const { EventStream } = await sharedModule("event_stream.js");

let browser;
let told;

beforeEach(() => {
  browser = openPage();
  told = [];
});

const streamTo = (url) => {
  const stream = new EventStream({
    onEvent: (event) => told.push(event),
    onMissed: () => told.push("missed"),
    onRefused: () => told.push("refused"),
  });
  stream.follow(url);
  return stream;
};

const connected = () => FakeEventSource.connected.map((each) => each.url);

test("a visible page is connected and hears events", () => {
  streamTo("/events");
  FakeEventSource.opened[0].send({ type: "fit" });
  assert.deepEqual(connected(), ["/events"]);
  assert.deepEqual(told, [{ type: "fit" }]);
});

test("a page opened in the background connects only when it is seen", () => {
  browser = openPage({ hidden: true });
  streamTo("/events");
  assert.deepEqual(connected(), []);
  browser.see(true);
  assert.deepEqual(connected(), ["/events"]);
  assert.deepEqual(told, [], "nothing was missed: there was no connection before");
});

test("a hidden page holds no connection, and is told of it before it connects again", () => {
  streamTo("/events");
  browser.see(false);
  assert.deepEqual(connected(), []);
  browser.see(true);
  assert.deepEqual(connected(), ["/events"]);
  assert.deepEqual(told, ["missed"]);
});

test("a page kept for going back holds no connection", () => {
  streamTo("/events");
  browser.window.dispatchEvent(new Event("pagehide"));
  assert.deepEqual(connected(), []);
  browser.window.dispatchEvent(new Event("pageshow"));
  assert.deepEqual(connected(), ["/events"]);
  assert.deepEqual(told, ["missed"]);
});

test("showing a page that is connected changes nothing", () => {
  streamTo("/events");
  browser.window.dispatchEvent(new Event("pageshow"));
  assert.equal(FakeEventSource.opened.length, 1);
  assert.deepEqual(told, []);
});

test("the same address is followed once, another one instead of it", () => {
  const stream = streamTo("/events?token=a");
  stream.follow("/events?token=a");
  assert.equal(FakeEventSource.opened.length, 1);
  stream.follow("/events?token=b");
  assert.deepEqual(connected(), ["/events?token=b"]);
  assert.deepEqual(told, ["missed"]);
});

test("who is up to date is not told that something was missed", () => {
  const stream = streamTo("/events?token=a");
  stream.follow("/events?token=b", { upToDate: true });
  assert.deepEqual(told, []);
});

test("a lost connection is left to the browser, a refused one is reported", () => {
  streamTo("/events");
  FakeEventSource.opened[0].lose();
  assert.deepEqual(told, []);
  FakeEventSource.opened[0].refuse();
  assert.deepEqual(told, ["refused"]);
});

test("after a refusal the same address can be tried again", () => {
  const stream = streamTo("/events");
  FakeEventSource.opened[0].refuse();
  stream.follow("/events");
  assert.deepEqual(connected(), ["/events"]);
  assert.deepEqual(told, ["refused", "missed"]);
});

test("what is put off happens once, and not on a page that was hidden meanwhile", () => {
  const stream = streamTo("/events");
  stream.later(() => told.push("later"), 3000);
  browser.clock.pass(2999);
  assert.deepEqual(told, []);
  browser.clock.pass(1);
  assert.deepEqual(told, ["later"]);
  stream.later(() => told.push("too late"), 3000);
  browser.see(false);
  browser.clock.pass(3000);
  assert.deepEqual(told, ["later"]);
});

test("a closed stream stays closed", () => {
  streamTo("/events").close();
  browser.see(false);
  browser.see(true);
  assert.deepEqual(connected(), []);
  assert.deepEqual(told, []);
});
