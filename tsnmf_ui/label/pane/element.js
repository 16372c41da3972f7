// @ts-check
// Making elements. Text goes into text nodes only: a document can say anything and stays a document.

/** @import { Child } from "./types.js" */

/** @typedef {Record<string, any>} Attributes "on" holds listeners, "style" properties of the style */

/**
 * An element with its attributes and children; what is null, undefined or false is left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const event of Object.keys(value)) element.addEventListener(event, value[event]);
    else if (name === "style") for (const key of Object.keys(value)) element.style.setProperty(key, value[key]);
    else element.setAttribute(name, value === true ? "" : value);
  }
  const flat = /** @type {any[]} */ (children).flat(Infinity);
  element.append(...flat.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}
