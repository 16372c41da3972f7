// @ts-check
// Above the panels: the project with its progress, and the orders of the queue.

/** @import { PaneData, View } from "./types.js" */

import { h } from "./element.js";
import { number, plural } from "./format.js";

const LONG_NAME = 60; // characters; a longer one is set smaller

/** @param {View} view */
export function drawProgress(view) {
  const { name, labelled, documents, waiting_for_second: second } = view.project;
  const held = second ? `, ${plural(second, "of yours waits", "of yours wait")} for a second person` : "";
  const share = documents ? labelled / documents : 0;
  const { kind, copies } = view.list;
  const beside = copies ? `, ${plural(copies, "near-copy", "near-copies")}` : "";
  const waits = kind === "queue" ? `, ${number(view.waiting)} waiting${beside}` : ""; // in whatever order
  const bar = h("i", { style: { width: `${Math.max(share * 100, labelled ? 1.5 : 0)}%` } });
  return [
    h("div", { class: "title" }, h("b", { title: name, class: name.length > LONG_NAME ? "long" : null }, name),
      h("span", { title: waits ? "Waiting: nobody has labelled or skipped them. Of texts that are nearly the same only one waits." : null },
        `${number(labelled)} of ${number(documents)} labelled${held}${waits}`)),
    h("div", {
      class: "progress", role: "progressbar", "aria-label": "Labelled texts",
      "aria-valuemin": 0, "aria-valuemax": documents, "aria-valuenow": labelled,
    }, bar),
  ];
}

/** @param {PaneData["modes"]} modes @param {string} current @param {(mode: string) => void} choose */
export function drawModes(modes, current, choose) {
  return modes.map(([id, name, why]) =>
    h("button", {
      type: "button", role: "radio", "aria-checked": String(id === current), title: why, "data-k": `m-${id}`,
      on: { click: () => choose(id) },
    }, name));
}
