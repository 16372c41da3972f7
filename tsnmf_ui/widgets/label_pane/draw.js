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

const numbers = new Intl.NumberFormat("en"); // made once: finding the locale costs more than a number
const number = (n) => numbers.format(n);
const percent = (share) => (share >= 0.995 ? "100 %" : share >= 0.005 ? `${Math.round(share * 100)} %` : "–");
const plural = (n, one, many) => `${number(n)} ${n === 1 ? one : many || one + "s"}`;
const FAINT = 0.12; // words that pull less than this are left uncoloured

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
  const waits = view.list.kind === "queue" ? `, ${number(view.waiting)} waiting` : ""; // in whatever order
  const bar = h("i", { style: { width: `${Math.max(share * 100, labelled ? 1.5 : 0)}%` } });
  return [
    h("div", { class: "title" }, h("b", { title: name }, name),
      h("span", { title: waits ? "Texts that nobody has labelled or skipped; near-copies count once." : null },
        `${number(labelled)} of ${number(documents)} labelled${waits}`)),
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
