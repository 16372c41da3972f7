// Where we are: in the address bar first, so that a refresh, a second tab and a restart of the
// server land there again; then in what this tab remembers, for a visit to another page.

const placeKey = (project) => `desk-${project}`;

function rememberedPlace({ project, modes }) {
  const query = new URLSearchParams(location.search);
  const kept = JSON.parse(sessionStorage.getItem(placeKey(project)) || "{}");
  const asked = query.has("mode") || query.has("document") || query.has("search") || query.has("documents");
  const value = (name) => (asked ? query.get(name) : kept[name]) ?? "";
  const mode = modes.some(([id]) => id === value("mode")) ? value("mode") : modes[0][0];
  const document = /^\d{1,9}$/.test(value("document")) ? Number(value("document")) : null;
  const documents = /^[0-9a-f]{1,64}$/.test(value("documents")) ? value("documents") : "";
  return { mode, search: value("search").slice(0, 500), documents, document };
}

function rememberPlace({ project }, place) {
  const { mode, search, documents, document } = place;
  const values = { mode, search, documents, document: document === null ? "" : String(document) };
  sessionStorage.setItem(placeKey(project), JSON.stringify(values));
  const url = new URL(location.href);
  url.searchParams.set("project", project);
  for (const [name, value] of Object.entries(values)) {
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  }
  if (url.href !== location.href) history.replaceState(history.state, "", url);
}

const samePlace = (a, b) => a && b && a.search === b.search && a.documents === b.documents && a.mode === b.mode;
