// @ts-check
// Numbers and times as the pane writes them.

const numbers = new Intl.NumberFormat("en"); // made once: finding the locale costs more than a number

/** @param {number} n */
export const number = (n) => numbers.format(n);

const ROUNDING_ERROR = 1e-9; // a sum of floats that should be 0 or 1 may be off by this much

/**
 * A share as the pages write it (core/values/percentage.py): not rounded to nothing, nor to all.
 * @param {number} share from 0 to 1
 */
export function percent(share) {
  if (share > ROUNDING_ERROR && share < 0.005) return "<1 %";
  if (share > 0.995 && share < 1 - ROUNDING_ERROR) return ">99 %";
  return `${Math.round(share * 100)} %`;
}

/**
 * A number with its noun.
 * @param {number} n @param {string} one @param {string} [many] where it is not just an s more
 */
export const plural = (n, one, many) => `${number(n)} ${n === 1 ? one : many || `${one}s`}`;

/** @param {string} text */
export const capitalised = (text) => text.replace(/^./, (first) => first.toUpperCase());

/**
 * How long ago a time is.
 * @param {string} iso @param {number} [now] milliseconds
 */
export function ago(iso, now = Date.now()) {
  const seconds = Math.max(0, (now - new Date(iso).getTime()) / 1000);
  if (seconds < 5) return "just now";
  if (seconds < 60) return `${Math.round(seconds)} s ago`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.round(seconds / 3600)} h ago`;
  return new Date(iso).toLocaleDateString("en", { day: "numeric", month: "long", year: "numeric" });
}
