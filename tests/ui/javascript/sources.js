// Where the modules under test are.
const ROOT = new URL("../../../tsnmf_ui/", import.meta.url);

export const paneFile = (name) => new URL(`label/pane/${name}`, ROOT);
export const paneModule = (name) => import(paneFile(name).href);
export const liveModule = () => import(new URL("pages/widgets/live.js", ROOT).href);
export const sharedModule = (name) => import(new URL(`javascript/${name}`, ROOT).href);
