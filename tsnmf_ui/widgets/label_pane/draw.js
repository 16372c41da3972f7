// Drawing. Text goes into text nodes only: a document can say anything and stays a document.

const h = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    else if (name === "style") for (const [key, each] of Object.entries(value)) element.style.setProperty(key, each);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
};

const number = (n) => n.toLocaleString("en");
const percent = (share) => (share >= 0.995 ? "100 %" : share >= 0.005 ? `${Math.round(share * 100)} %` : "–");
const plural = (n, one, many) => `${number(n)} ${n === 1 ? one : many || one + "s"}`;
const FAINT = 0.12; // words that pull less than this are left uncoloured
const FOLD = 1500; // characters shown before a long text is folded

function ago(iso) {
  const seconds = Math.max(0, (Date.now() - new Date(iso).getTime()) / 1000);
  if (seconds < 5) return "just now";
  if (seconds < 60) return `${Math.round(seconds)} s ago`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.round(seconds / 3600)} h ago`;
  return new Date(iso).toLocaleDateString("en", { day: "numeric", month: "long", year: "numeric" });
}

// What the pane calls a topic reference of the server: t7 a named topic, f9 a found one.
function topicOf(view, reference) {
  if (reference[0] === "t") return view.topics.find((topic) => `t${topic.id}` === reference);
  const found = view.found.find((each) => `f${each.topic}` === reference);
  return found && { name: `${found.name}: ${found.words.slice(0, 3).join(", ")}`, colour: "var(--free)", found: true };
}

function drawAbout(view) {
  const { name, labelled, documents } = view.project;
  const share = documents ? labelled / documents : 0;
  const bar = h("i", { style: { width: `${Math.max(share * 100, labelled ? 1.5 : 0)}%` } });
  return [
    h("div", { class: "title" }, h("b", { title: name }, name),
      h("span", {}, `${number(labelled)} of ${number(documents)} labelled`)),
    h("div", {
      class: "progress", role: "progressbar", "aria-label": "Labelled texts",
      "aria-valuemin": 0, "aria-valuemax": documents, "aria-valuenow": labelled,
    }, bar),
  ];
}

function drawModes(modes, current, choose) {
  return modes.map(([id, name, why]) =>
    h("button", {
      type: "button", role: "radio", "aria-checked": String(id === current), title: why, "data-k": `m-${id}`,
      on: { click: () => choose(id) },
    }, name));
}

function drawQueue(view, open) {
  const here = view.card && view.card.position;
  const title = view.search ? "Found texts" : "Up next";
  const rows = view.queue.map((row) => {
    const current = row.position === here;
    return h("li", {}, h("button", {
      type: "button", class: current ? "row here" : "row", "data-k": `q-${row.position}`,
      "aria-current": current ? "true" : null, on: { click: () => open(row.position) },
    },
      h("strong", {}, view.search ? `#${row.id}` : row.reason),
      h("span", {}, row.snippet)));
  });
  const empty = view.search ? "No text has these words." : "Nothing is waiting.";
  return [
    h("h2", {}, title, h("span", {}, plural(view.waiting, view.search ? "match" : "text", view.search ? "matches" : "texts"))),
    rows.length ? h("ol", { class: "rows" }, rows) : h("p", { class: "empty" }, empty),
  ];
}

// The words of a text, those that drive a topic in its colour; cut off where it is folded.
function drawText(view, pieces, limit) {
  const shown = [];
  let left = limit;
  for (const [text, reference, strength] of pieces) {
    if (left <= 0) break;
    const part = text.length > left ? text.slice(0, Math.max(text.lastIndexOf(" ", left), 1)) : text;
    const topic = reference && strength >= FAINT && topicOf(view, reference);
    shown.push(topic
      ? h("mark", { style: { "--c": topic.colour, "--s": `${8 + 14 * strength}%` }, class: topic.found ? "found" : null, title: topic.name }, part)
      : document.createTextNode(part));
    left -= part.length;
    if (part.length < text.length) break;
  }
  return shown;
}

const wordsIn = (text) => (text.match(/\S+/g) || []).length;

function drawFold(card, folded, unfold) {
  const whole = card.pieces.map((piece) => piece[0]).join("");
  if (whole.length <= FOLD * 1.25) return null;
  const rest = wordsIn(whole.slice(FOLD));
  const label = folded ? `Show ${plural(rest, "more word")}` : "Show less";
  return h("button", { type: "button", class: "fold", "data-k": "fold", "aria-expanded": String(!folded), on: { click: unfold } },
    label, h("kbd", {}, "Space"));
}

// The model's reading of the text as one slim bar.
function drawReading(view) {
  const parts = Object.entries(view.card.shares).filter(([, share]) => share >= 0.02);
  if (!parts.length) return null;
  const said = parts.map(([reference, share]) => `${(topicOf(view, reference) || { name: "another" }).name} ${percent(share)}`);
  return h("div", { class: "reading", role: "img", "aria-label": `The model reads: ${said.join(", ")}`, title: said.join(" · ") },
    parts.map(([reference, share]) => {
      const topic = topicOf(view, reference);
      return h("i", { style: { "flex-grow": share, background: topic ? topic.colour : "var(--free)" } });
    }));
}

function drawMeta(view) {
  const { id, date, side, reason } = view.card;
  return h("div", { class: "meta" },
    h("span", { class: "id" }, `#${id}`),
    date && h("span", {}, date),
    side.slice(0, 3).map(([name, value]) => h("span", { class: "side", title: `${name}: ${value}` }, value)),
    side.length > 3 && h("span", { title: side.slice(3).map((pair) => pair.join(": ")).join("\n") }, `+${side.length - 3}`),
    reason && h("span", { class: "why" }, reason));
}

function drawSaid(view) {
  const { label, skipped } = view.card;
  const named = (ids) => ids.map((id) => (view.topics.find((topic) => topic.id === id) || { name: "?" }).name);
  if (!label || !(label.permitted.length || label.forbidden.length || label.nothing_fits || label.note))
    return h("div", { class: "said" }, skipped ? "Skipped earlier." : "Not labelled yet.");
  const parts = [];
  if (label.nothing_fits) parts.push(h("b", {}, "Nothing fits"));
  if (label.permitted.length) parts.push(h("span", {}, "May contain ", h("b", {}, named(label.permitted).join(", "))));
  if (label.forbidden.length) parts.push(h("span", {}, "not ", h("s", {}, named(label.forbidden).join(", "))));
  if (label.confidence !== "sure") parts.push(h("span", {}, label.confidence));
  parts.push(h("span", { title: new Date(label.time).toLocaleString("en") }, `${label.author}, ${ago(label.time)}`));
  return h("div", { class: "said saved" }, parts);
}

function topicButton(view, topic, draft, act) {
  const reference = `t${topic.id}`;
  const share = view.card ? view.card.shares[reference] : undefined;
  const on = draft.permitted.includes(topic.id);
  const off = draft.forbidden.includes(topic.id);
  const state = on ? "permitted" : off ? "not permitted" : "not said";
  const shown = share === undefined ? (topic.words.length || !view.obeys ? "–" : "new") : percent(share);
  const wordless = view.obeys ? "The next fit finds the words of this topic." : "No topic of the model matches this label yet.";
  return h("li", { class: `topic${on ? " on" : ""}${off ? " off" : ""}`, style: { "--c": topic.colour, "--share": `${(share || 0) * 100}%` } },
    h("button", {
      type: "button", class: "pick", "data-k": reference, "aria-pressed": String(on), disabled: !view.card,
      "aria-label": `${topic.name}, ${state}, ${shown} of this text`,
      title: topic.words.length ? topic.words.join(" · ") : wordless,
      on: { click: () => act.permit(topic.id) },
    },
      h("kbd", {}, topic.key || "·"), h("span", { class: "name" }, topic.name, h("small", {}, topic.words.slice(0, 5).join(" · "))),
      h("span", { class: "n", title: `${plural(topic.labelled, "label")}` }, topic.labelled || ""),
      h("span", { class: "share" }, shown)),
    h("button", {
      type: "button", class: "not", "data-k": `n${topic.id}`, "aria-pressed": String(off), disabled: !view.card,
      "aria-label": `${topic.name} is not permitted in this text`, title: `Not permitted (Alt+${topic.key || "click"})`,
      on: { click: () => act.forbid(topic.id) },
    }, "not"));
}

function foundRow(view, found, act) {
  const share = view.card ? view.card.shares[`f${found.topic}`] : undefined;
  const words = found.words.slice(0, 5).join(" · ");
  return h("li", { class: "free", style: { "--share": `${(share || 0) * 100}%` } },
    h("span", { class: "words", title: found.words.join(" · ") }, h("b", {}, found.name), words),
    h("span", { class: "share" }, share === undefined ? "–" : percent(share)),
    view.obeys && h("button", {
      type: "button", "data-k": `a${found.topic}`, "aria-label": `Adopt the topic with the words ${words}`,
      title: "Make this one of your topics", on: { click: () => act.adopt(found) },
    }, "Adopt"));
}

function drawConfidence(draft, act) {
  return h("div", { class: "confidence", role: "radiogroup", "aria-label": "How sure are you?" },
    ["sure", "unsure", "expert"].map((level) =>
      h("button", {
        type: "button", role: "radio", "data-k": `c-${level}`, "aria-checked": String(draft.confidence === level),
        title: { sure: "Counts once", unsure: "Counts half", expert: "Counts twice" }[level],
        on: { click: () => act.confidence(level) },
      }, level.replace(/^./, (c) => c.toUpperCase()))));
}

// The quiet line: a fit under way, or what the last one did.
function drawLine(view, fit, cancel) {
  if (fit && fit.phase === "running") {
    const left = fit.seconds_left > 1 ? `, about ${Math.ceil(fit.seconds_left)} s left` : "";
    return [h("span", { class: "spin", "aria-hidden": "true" }),
      h("span", {}, view.refit ? "Refitting" : "Fitting for the first time", fit.share > 0.01 ? ` ${percent(fit.share)}${left}` : "…"),
      h("button", { type: "button", "data-k": "cancel", on: { click: cancel } }, "Cancel")];
  }
  if (fit && fit.phase === "failed") return [h("span", { class: "bad" }, fit.error || "The fit failed.")];
  if (!view.refit) return [h("span", {}, fit && fit.phase === "waiting" ? "The first fit starts…" : "Not fitted yet.")];
  return [...changeParts(view.refit), h("span", {}, `refitted ${ago(view.refit.finished)} in ${view.refit.seconds.toFixed(2)} s`)];
}

function changeParts({ change, adherence, labelled }) {
  const parts = [];
  if (change && change.topic && (change.gained.length || change.lost.length)) {
    const words = (list) => h("b", {}, list.join(", "));
    parts.push(h("span", {}, "Last refit: ", change.topic, change.gained.length ? [" gained ", words(change.gained)] : "",
      change.gained.length && change.lost.length ? " and" : "", change.lost.length ? [" lost ", words(change.lost)] : ""));
  } else if (change) parts.push(h("span", {}, "Last refit: all topics kept their words"));
  if (change) parts.push(h("span", {}, `${plural(change.moved, "text")} moved`));
  if (labelled && adherence !== null) {
    const all = adherence >= 0.9999;
    parts.push(h("span", { class: all ? "good" : "bad" }, `${all ? "100" : (adherence * 100).toFixed(1)} % of labels hold`));
  } else if (labelled) parts.push(h("span", {}, "labels are not binding to this model"));
  return parts;
}

const HELP = [
  ["1 … 9", "permit a topic, or take it back"], ["0 1, 0 a …", "from the tenth topic on"],
  ["Alt + key", "the topic is not permitted"], ["Enter", "save and next"], ["S", "skip for now"],
  ["X", "nothing fits"], ["T", "new topic from this text"], ["N", "note"], ["E", "sure, unsure, expert"],
  ["← →", "back and forward"], ["↑ ↓", "through the list"], ["Space", "unfold a long text"],
  ["Ctrl + Z", "undo"], ["Ctrl + Shift + Z", "redo"], ["/", "search"], ["M", "next order of the queue"], ["?", "this help"],
];

function drawHelp(close, obeys) {
  return h("div", { class: "help" },
    h("h2", {}, "Keys", h("button", { type: "button", "data-k": "close", on: { click: close } }, "Close")),
    h("dl", {}, HELP.map(([keys, what]) => [h("dt", {}, keys.split(/ (?=[+…])|(?<=[+…]) /).map((key) =>
      /^[+…]$/.test(key) ? ` ${key} ` : h("kbd", {}, key))), h("dd", {}, what)])),
    h("p", {}, obeys
      ? "A labelled text may use only the topics you permit. The model obeys to the letter, and rereads every other text in that light."
      : "To the model chosen for this project labels are not binding. A topic shows its share where the model has found one that matches it."));
}
