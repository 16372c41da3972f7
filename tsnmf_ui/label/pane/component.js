// @ts-check
// The entry of the component: one pane for each place that Streamlit mounts it at.

/** @import { PaneData } from "./types.js" */

import { Pane } from "./pane.js";

/** @type {WeakMap<ShadowRoot, Pane>} */
const panes = new WeakMap();

/** @param {{ data: PaneData, parentElement: ShadowRoot, setTriggerValue: (name: "renew", value: number) => void }} component */
export default function ({ data, parentElement, setTriggerValue }) {
  const requestToken = () => setTriggerValue("renew", Date.now());
  let pane = panes.get(parentElement);
  if (pane && (pane.data.project !== data.project || !pane.dialog.element.isConnected)) { // mounted anew
    pane.release();
    pane = undefined;
  }
  if (pane) {
    pane.data = data;
    pane.server.handlers.requestToken = requestToken;
    pane.server.renew(data);
    pane.fitHeight();
  } else panes.set(parentElement, (pane = new Pane(parentElement, data, requestToken)));
  const mounted = pane;
  return () => {
    mounted.release();
    panes.delete(parentElement);
  };
}
