// Where the reader is survives a refresh, and nothing odd comes in through the address.
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./browser.js";
import { paneModule } from "./sources.js";

const { readPlace, sameList, savePlace } = await paneModule("saved_place.js");

const DATA = { project: 7, modes: [["mixed", "", ""], ["random", "", ""]] };
const at = (query) => {
  openPage({ href: `http://localhost/label${query}` });
  return readPlace(DATA);
};

test("the address says where to begin", () => {
  assert.deepEqual(at("?mode=random&search=a+b&document=12&documents=ab12"),
    { mode: "random", search: "a b", documents: "ab12", document: 12 });
});

test("without an address the first mode", () => {
  assert.deepEqual(at(""), { mode: "mixed", search: "", documents: "", document: null });
});

test("a saved search is named in place of an order", () => {
  assert.equal(at("?mode=saved%3AOpen+refunds").mode, "saved:Open refunds");
  assert.equal(at(`?mode=saved:${"x".repeat(300)}`).mode, "mixed");
});

test("what an address cannot mean is left out", () => {
  assert.deepEqual(at("?mode=no&document=-1&documents=../x"), { mode: "mixed", search: "", documents: "", document: null });
  assert.equal(at(`?search=${"x".repeat(600)}`).search.length, 500);
});

test("a place that is saved is read again, from the address and without it", () => {
  openPage();
  const place = { mode: "random", search: "lamp", documents: "", document: 0 };
  savePlace(DATA, place);
  assert.equal(location.search, "?project=7&mode=random&search=lamp&document=0");
  assert.deepEqual(readPlace(DATA), place);
  location.search = "?project=7";
  assert.deepEqual(readPlace(DATA), place, "after a visit to another page");
  assert.deepEqual(readPlace({ ...DATA, project: 8 }).mode, "mixed");
});

test("an address that is right is left alone", () => {
  openPage({ href: "http://localhost/label?project=7&mode=mixed" });
  history.replaceState = () => assert.fail("replaced");
  savePlace(DATA, { mode: "mixed", search: "", documents: "", document: null });
});

test("a list is the same whichever text is open", () => {
  const place = { mode: "mixed", search: "", documents: "", document: 1 };
  assert.ok(sameList(place, { ...place, document: 2 }));
  for (const other of [{ mode: "random" }, { search: "x" }, { documents: "ab" }]) assert.ok(!sameList(place, { ...place, ...other }));
  assert.ok(!sameList(place, null));
});
