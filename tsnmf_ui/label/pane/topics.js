// @ts-check
// The topics as buttons: the background of a button is the topic's share in the text.

/** @import { Draft, FreeTopic, Topic, View } from "./types.js" */
/** @import { Pane } from "./pane.js" */

import { h } from "./element.js";
import { percent, plural } from "./format.js";
import { formSlot } from "./forms.js";
import { splitTopics, topicsNamed } from "./topic_list.js";

const CONFIDENCE = [["unsure", "Half"], ["sure", "Normal"], ["expert", "Double"]]; // what a label counts

/**
 * What a click does, each in its turn.
 * @typedef {object} TopicActions
 * @property {(topic: number) => void} permit
 * @property {(topic: number) => void} forbid
 * @property {(level: string) => void} confidence
 * @property {(free: FreeTopic) => void} adopt
 * @property {(topic: number | null) => void} explain
 */

/**
 * The topic that a reference of the server means: t7 a named one, f9 a free one.
 * @param {View} view @param {string} reference
 * @returns {{ name: string, colour: string, free?: boolean } | undefined}
 */
export function findTopic(view, reference) {
  if (reference[0] === "t") return view.topics.find((topic) => `t${topic.id}` === reference);
  const free = view.free_topics.find((each) => `f${each.topic}` === reference);
  return free && { name: free.name, colour: "var(--free)", free: true };
}

/** @param {View} view @param {Topic} topic @param {Draft} draft @param {TopicActions} actions */
function topicButton(view, topic, draft, actions) {
  const reference = `t${topic.id}`;
  const share = view.card ? view.card.shares[reference] : undefined;
  const on = draft.permitted.includes(topic.id);
  const off = draft.forbidden.includes(topic.id);
  const shown = !share ? (topic.words.length || !view.obeys ? "–" : "new") : percent(share);
  const wordless = view.obeys ? "No words yet: label a text with it, or describe it in the codebook (B)." : "No topic of the model matches this label yet.";
  return h("li", { class: `topic${on ? " on" : ""}${off ? " off" : ""}`, style: { "--c": topic.colour, "--share": `${(share || 0) * 100}%` } },
    h("button", {
      type: "button", class: "pick", "data-k": reference, "aria-pressed": String(on), disabled: !view.card,
      title: [topic.meaning, topic.words.length ? topic.words.join(" · ") : wordless].filter(Boolean).join("\n"),
      on: { click: () => actions.permit(topic.id) },
    },
      h("kbd", { "aria-hidden": "true" }, topic.key || "·"), h("span", { class: "name" }, topic.name, h("small", {}, topic.words.slice(0, 5).join(" · ") || "no words yet")),
      h("span", { class: "n", title: `${plural(topic.labelled, "label")}` }, topic.labelled || ""),
      h("span", { class: "share" }, shown)),
    h("button", {
      type: "button", class: "not", "data-k": `n${topic.id}`, "aria-pressed": String(off), disabled: !view.card,
      "aria-label": `${topic.name} is forbidden in this text`, title: `Forbidden (Alt+${topic.key || "click"})`,
      on: { click: () => actions.forbid(topic.id) },
    }, "not"),
    h("button", {
      type: "button", class: "about", "data-k": `i${topic.id}`, "aria-label": `What ${topic.name} means`, title: "Codebook (B)",
      on: { click: () => actions.explain(topic.id) },
    }, "?"));
}

/**
 * The free topic that the text is most about: F adopts it.
 * @param {View} view
 * @returns {FreeTopic | undefined}
 */
export function strongestFreeTopic({ card, free_topics, obeys }) {
  const share = (/** @type {FreeTopic} */ free) => card?.shares[`f${free.topic}`] || 0;
  return obeys ? [...free_topics].sort((one, other) => share(other) - share(one))[0] : undefined;
}

/** @param {View} view @param {FreeTopic} free @param {TopicActions} actions */
function freeRow(view, free, actions) {
  const share = view.card ? view.card.shares[`f${free.topic}`] : undefined;
  const words = free.words.slice(0, 5).join(" · ");
  const rest = free.words.filter((word) => !free.name.split(", ").includes(word)).slice(0, 4).join(" · ");
  const key = free === strongestFreeTopic(view) ? "F" : "";
  return h("li", { class: "free-topic", style: { "--share": `${(share || 0) * 100}%` } },
    h("span", { class: "words", title: free.words.join(" · ") }, h("b", {}, free.name), rest),
    h("span", { class: "share" }, share ? percent(share) : "–"),
    view.obeys && h("button", {
      type: "button", "data-k": `a${free.topic}`, "data-run": free.run, "aria-label": `Adopt${key && ` ${key}`}, the topic with the words ${words}`,
      title: "Make this one of your topics", on: { click: () => actions.adopt(free) },
    }, "Adopt", key ? h("kbd", {}, key) : null));
}

/** @param {Draft} draft @param {TopicActions} actions */
function drawConfidence(draft, actions) {
  return h("div", { class: "confidence", role: "radiogroup", "aria-label": "Weight of this label" },
    h("span", { class: "weight", "aria-hidden": "true" }, "Weight"),
    CONFIDENCE.map(([level, weight]) =>
      h("button", {
        type: "button", role: "radio", "data-k": `c-${level}`, "aria-checked": String(draft.confidence === level),
        title: `${weight} weight (E)`,
        on: { click: () => actions.confidence(level) },
      }, weight)));
}

/**
 * The named topics: those that were found while somebody types, else the likely ones and the others.
 * @param {Pane} pane @param {TopicActions} actions
 */
function topicLists({ view, form, labels: { draft } }, actions) {
  const list = (/** @type {Topic[]} */ topics) =>
    topics.length ? h("ul", { class: "topics" }, topics.map((topic) => topicButton(view, topic, draft, actions))) : null;
  if (form?.kind === "find" && form.text) {
    return list(topicsNamed(view.topics, form.text)) || h("p", { class: "empty" }, "No topic has this name.");
  }
  const { likely, others } = splitTopics(view, draft);
  if (!likely.length) return list(others);
  return [list(likely), h("h2", { class: "second" }, "All other topics"), list(others)];
}

/** @param {Pane} pane @param {TopicActions} actions */
export function drawTopics(pane, actions) {
  const { view, stages: { shown: fit } } = pane;
  const { draft } = pane.labels;
  const { topics, free_topics: free } = view;
  const first = fit && ["waiting", "running"].includes(fit.phase) && !view.refit;
  const hint = topics.length > 9 ? "1–9, 0 1 … allow · Alt forbid · . find" : "1–9 allow · Alt forbid";
  const empty = h("p", { class: "empty" }, "No topics yet. Press ", h("kbd", {}, "T"), " to name the first one",
    free.length && view.obeys ? ", or adopt a free one." : ".");
  return [
    h("h2", {}, "Topics in this text", h("span", {}, topics.length ? hint : "")),
    h("div", { class: "list" },
      formSlot(pane.form, "topic"), formSlot(pane.form, "find"),
      topics.length ? topicLists(pane, actions) : empty,
      free.length ? [h("h2", { class: "second" }, "Free topics", h("span", {}, view.obeys ? "not named yet" : "matching no label")),
        h("ul", { class: "topics" }, free.map((each) => freeRow(view, each, actions)))] : null,
      first ? h("p", { class: "empty" }, "The first fit is running. What the model finds appears here.") : null),
    h("div", { class: "foot" }, drawConfidence(draft, actions),
      h("button", { type: "button", class: "book", "data-k": "book", on: { click: () => actions.explain(null) } }, "Codebook ", h("kbd", {}, "B"))),
  ];
}
