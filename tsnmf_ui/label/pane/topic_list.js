// @ts-check
// Which topics are listed, and in which order: among hundreds, those of the text come first.

/** @import { Draft, Topic, View } from "./types.js" */

const MANY_TOPICS = 30; // from which the list is cut in two
const MAX_LIKELY = 6;
const MIN_LIKELY_SHARE = 0.05;

/**
 * Topics whose name holds every typed word; those that begin with what was typed come first.
 * @param {Topic[]} topics @param {string} typed
 */
export function topicsNamed(topics, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const names = (/** @type {Topic} */ topic) => topic.name.toLowerCase();
  const found = topics.filter((topic) => words.every((word) => names(topic).includes(word)));
  const starts = (/** @type {Topic} */ topic) => Number(names(topic).startsWith(typed.trim().toLowerCase()));
  return [...found].sort((one, other) => starts(other) - starts(one));
}

/**
 * The topic of a name, however it is written.
 * @param {Topic[]} topics @param {string} name
 */
export const topicOfName = (topics, name) =>
  topics.find((topic) => topic.name.trim().toLowerCase() === name.trim().toLowerCase());

/**
 * Labels and likely topics of the open text, and all others; few topics stay in one list.
 * @param {View} view @param {Draft} draft
 * @returns {{ likely: Topic[], others: Topic[] }}
 */
export function splitTopics({ card, topics }, { permitted, forbidden }) {
  if (topics.length <= MANY_TOPICS || !card) return { likely: [], others: topics };
  const share = (/** @type {Topic} */ topic) => card.shares[`t${topic.id}`] || 0;
  const isLabel = (/** @type {Topic} */ topic) => permitted.includes(topic.id) || forbidden.includes(topic.id);
  const rest = topics.filter((topic) => !isLabel(topic) && share(topic) >= MIN_LIKELY_SHARE);
  const strongest = rest.sort((one, other) => share(other) - share(one)).slice(0, MAX_LIKELY);
  const likely = [...topics.filter((topic) => permitted.includes(topic.id)), ...strongest, ...topics.filter((topic) => forbidden.includes(topic.id))];
  return { likely, others: topics.filter((topic) => !likely.includes(topic)) };
}
