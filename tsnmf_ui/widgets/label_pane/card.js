// The document card: the text with its words in the colours of their topics, what the model reads
// in it, and what people have said about it.

// The words of a text, those that drive a topic in its colour, those searched for underlined. A
// folded text keeps its beginning and the passages that say most; each gap opens it.
function drawText(view, pieces, folded, unfold) {
  const shown = [];
  let hidden = "";
  const gap = () => {
    if (!hidden) return;
    const words = wordsIn(hidden);
    shown.push(h("button", { type: "button", class: "gap", title: "Show the whole text", "aria-label": `Show ${plural(words, "more word")}`, on: { click: unfold } }, "⋯ ", plural(words, "word")), " ");
    hidden = "";
  };
  for (const piece of pieces) {
    if (folded && piece[4]) hidden += piece[0];
    else {
      gap();
      shown.push(drawPiece(view, piece));
    }
  }
  gap();
  return shown;
}

function drawPiece(view, [text, reference, strength, hit]) {
  const topic = reference && strength >= FAINT && topicOf(view, reference);
  const words = topic
    ? h("mark", { style: { "--c": topic.colour, "--s": `${8 + 14 * strength}%` }, class: topic.found ? "found" : null, title: topic.name }, text)
    : document.createTextNode(text);
  return hit ? h("span", { class: "hit" }, words) : words;
}

const wordsIn = (text) => (text.match(/\S+/g) || []).length;
const isLong = (card) => card.pieces.some((piece) => piece[4]);

function drawFold(card, folded, unfold) {
  if (!isLong(card)) return null;
  const rest = wordsIn(card.pieces.filter((piece) => piece[4]).map((piece) => piece[0]).join(" "));
  const label = folded ? `Show ${plural(rest, "more word")}` : "Show less";
  return h("button", { type: "button", class: "fold", "data-k": "fold", "aria-expanded": String(!folded), on: { click: unfold } },
    label, h("kbd", {}, "Space"));
}

// The model's reading of the text as one slim bar.
function drawReading(view) {
  const parts = Object.entries(view.card.shares).filter(([, share]) => share >= 0.02);
  if (!parts.length) return null;
  const said = parts.map(([reference, share]) => `${(topicOf(view, reference) || { name: "another" }).name} ${percent(share)}`);
  return h("div", { class: "reading", "data-run": view.card.run, role: "img", "aria-label": `The model reads: ${said.join(", ")}`, title: said.join(" · ") },
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

// What a label says, in words.
function saying(view, label) {
  const named = (ids) => ids.map((id) => (view.topics.find((topic) => topic.id === id) || { name: "?" }).name).join(", ");
  const parts = [];
  if (label.nothing_fits) parts.push(h("b", {}, "Nothing fits"));
  if (label.permitted.length) parts.push(h("span", {}, "May contain ", h("b", {}, named(label.permitted))));
  if (label.forbidden.length) parts.push(h("span", {}, "not ", h("s", {}, named(label.forbidden))));
  if (label.confidence !== "sure") parts.push(h("span", {}, label.confidence));
  return parts;
}

const signed = (label) =>
  h("span", { title: new Date(label.time).toLocaleString("en") }, `${label.author}, ${ago(label.time)}`);

function drawSaid(view) {
  const { label, skipped } = view.card;
  if (!label || !(label.permitted.length || label.forbidden.length || label.nothing_fits || label.note))
    return h("div", { class: "said" }, skipped ? "Skipped earlier." : "Not labelled yet.");
  return h("div", { class: "said saved" }, saying(view, label), signed(label));
}

// What others said, and notes that the present label does not carry.
function drawEarlier(view) {
  const { earlier } = view.card;
  if (!earlier || !earlier.length) return null;
  return h("ul", { class: "earlier", "aria-label": "Said earlier" }, earlier.map((label) =>
    h("li", {}, h("div", { class: "said" }, "Earlier:", saying(view, label), signed(label)), label.note ? h("p", { class: "note" }, label.note) : null)));
}
