// @ts-check
// The line below the panels: a fit under way, or what the last one did.

/** @import { FitState, LeftOut, Refit, RefitChange, View } from "./types.js" */

import { h } from "./element.js";
import { ago, percent, plural } from "./format.js";

const FULL_FIT = "full fit"; // the second stage, which takes the place of the preview

/**
 * @param {View} view
 * @param {FitState | null} fit
 * @param {{ cancel: () => void, refit: () => void, showChanges: () => void }} actions
 */
export function fitParts(view, fit, { cancel, refit, showChanges }) {
  const stop = fit?.phase === "running" ? h("button", { type: "button", "data-k": "cancel", on: { click: cancel } }, "Cancel") : null;
  if (fit?.phase === "failed") {
    return [h("span", { class: "bad" }, fit.error || "The fit failed."),
      h("button", { type: "button", "data-k": "refit", on: { click: refit } }, "Try again")];
  }
  if (!view.refit) return [...firstFitParts(fit), ...(stop ? [stop] : [])];
  return [...refitParts(view.refit), h("span", { class: "stage" }, stageWords(view.refit, fit)),
    view.refit.change ? h("button", { type: "button", "data-k": "diff", title: "What the last refit changed (D)", on: { click: showChanges } }, "See changes") : null,
    stop];
}

/** @param {FitState | null} fit */
function firstFitParts(fit) {
  if (fit?.phase !== "running") return [h("span", {}, fit?.phase === "waiting" ? "The first fit starts…" : "Not fitted yet.")];
  return [h("span", { class: "spin", "aria-hidden": "true" }), h("span", {}, `Fitting for the first time${progressOf(fit)}`)];
}

/**
 * Which stage of a fit is on screen, and what comes: only these words change while one runs.
 * @param {Refit} refit @param {FitState | null} fit
 */
function stageWords(refit, fit) {
  const full = fit?.kind === FULL_FIT;
  if (fit?.phase === "running" && !(full && refit.preview)) return `refitting${progressOf(fit)}`;
  const to = refit.labelled ? ` to ${plural(refit.labelled, "label")}` : "";
  if (!refit.preview) return `refitted${to} ${ago(refit.finished)} in ${secondsOf(refit)} s`;
  if (fit?.phase === "cancelled") return "Preview; the full fit was stopped";
  return `Preview; the full fit follows${fit && full && fit.phase === "running" ? progressOf(fit) : ""}`;
}

/** @param {Refit} refit */
function secondsOf(refit) {
  return refit.seconds < 10 ? refit.seconds.toFixed(2) : refit.seconds.toFixed(0);
}

/**
 * A fit may end before its last pass, so what it says of the time left is the most it can take.
 * @param {FitState} fit
 */
function progressOf(fit) {
  const left = fit.seconds_left && fit.seconds_left > 1 ? `, at most ${Math.ceil(fit.seconds_left)} s left` : "";
  return fit.share > 0.01 ? ` ${percent(fit.share)}${left}` : "…";
}

/**
 * How good the guide is first, then what the last refit did.
 * @param {Refit} refit
 */
function refitParts(refit) {
  const { change, labelled, left_out } = refit;
  const steady = untouchedOf(change);
  return [
    left_out ? leftOutPart(left_out, labelled) : null,
    brokenPart(refit),
    change ? wordsPart(change) : null,
    change ? h("span", { title: steady === null ? null : steadyWords(steady) }, `${plural(change.moved, "text")} moved`) : null,
  ].filter(Boolean);
}

/** @type {Record<"up" | "down" | "same", (share: string) => string>} */
const TRENDS = {
  up: (share) => ` ↑ up from ${share}`,
  down: (share) => ` ↓ down from ${share}`,
  same: () => " → about the same as",
};

/**
 * What the guide gets right on labelled texts that it was taught without; how many labels it needs
 * for that as long as there are too few.
 * @param {LeftOut} leftOut
 * @param {number} labelled texts now
 */
function leftOutPart({ right, of, alone, missing, second, direction, before, labelled_before }, labelled) {
  if (missing) {
    const more = second ? " for topics that have only one" : "";
    return h("span", { class: "lead", title: "Each labelled text is guessed by a guide that was taught without it." },
      `The guide can be tested after ${plural(missing, "more label")}${more}`);
  }
  const uncounted = alone ? ` ${plural(alone, "text is", "texts are")} not counted: the only example of the topic.` : "";
  const title = `Each labelled text was guessed by a guide that was taught without it.${uncounted}`;
  return h("span", { class: "lead", title }, `Right on ${right} of ${of} labelled texts when left out, `, h("b", {}, percent(right / of)),
    direction ? `${TRENDS[direction](percent(before ?? 0))} ${labelled_before === labelled ? "before" : `at ${plural(labelled_before, "label")}`}` : null);
}

/** @param {RefitChange} change */
function wordsPart(change) {
  if (!change.topic || !(change.gained.length || change.lost.length)) return h("span", { class: "words" }, "Last refit: all topics kept their first 10 words");
  const words = (/** @type {string[]} */ list) => h("b", {}, list.join(", "));
  return h("span", { class: "words" }, "Last refit: “", change.topic, "”", change.gained.length ? [" gained ", words(change.gained)] : "",
    change.gained.length && change.lost.length ? " and" : "", change.lost.length ? [" lost ", words(change.lost)] : "", " among its first 10 words");
}

/**
 * That labels hold is so by construction: only a break is news.
 * @param {Pick<Refit, "adherence" | "labelled">} refit
 */
function brokenPart({ adherence, labelled }) {
  if (!labelled) return null;
  if (adherence === null) return h("span", {}, "this model does not treat labels as rules");
  const broken = 1 - adherence;
  return broken < 0.0001 ? null
    : h("span", { class: "bad", title: "Labelled texts that use topics which their label does not permit" }, `${(broken * 100).toFixed(1)} % of labels not followed`);
}

/**
 * What a refit was made from, for its dialog.
 * @param {Pick<Refit, "adherence" | "labelled">} refit
 */
export const fittedToParts = (refit) => [refit.labelled ? h("span", {}, `fitted to ${plural(refit.labelled, "label")}`) : null, brokenPart(refit)].filter(Boolean);

/** @param {RefitChange | null} change */
const untouchedOf = (change) => change?.untouched ?? null;

/** @param {number} untouched */
const steadyWords = (untouched) => `topics without new labels kept ${percent(untouched)} of their first 20 words`;

/**
 * How steady the other topics were.
 * @param {Pick<Refit, "change">} refit
 */
export function steadySentence({ change }) {
  const untouched = untouchedOf(change);
  return untouched === null ? null
    : h("span", { title: "Average over the topics without new labels" }, steadyWords(untouched));
}
