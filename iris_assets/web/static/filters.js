// The filters of a question or a search: UF, office, party, election, source; their values are those of the store.
import { TYPES, el } from "./dom.js";
import { get } from "./api.js";

// Name in the address, label, name in the API.
const FIELDS = [["uf", "UF", "states"], ["cargo", "Cargo", "offices"], ["partido", "Partido", "parties"], ["ano", "Eleição", "years"], ["fonte", "Fonte", "source_types"]];
const SOURCES = ["GOVERNMENT_PROPOSAL", "PROPOSITION", "POLITICAL_HISTORY"];
let known = null;

export const coverage = () => (known ||= get("coverage").catch((error) => { known = null; throw error; }));

export const fromAddress = (parameters) => Object.fromEntries(FIELDS.map(([name]) => [name, parameters.get(name)]).filter(([, value]) => value));

export function toRequest(filters) {
  return Object.fromEntries(FIELDS.filter(([name]) => filters[name]).map(([name, , api]) => [api, [name === "ano" ? Number(filters[name]) : filters[name]]]));
}

// [name, what a chip says] of each filter that is set.
export const named = (filters) => FIELDS.filter(([name]) => filters[name]).map(([name, label]) => [name, `${label}: ${TYPES[filters[name]] || filters[name]}`]);

export function filterBox(container, id) {
  const selects = Object.fromEntries(FIELDS.map(([name]) => [name, el("select", { id: `${id}-${name}` }, el("option", { value: "" }, "todos"))]));
  const fields = FIELDS.map(([name, label]) => el("div", { class: "field" }, el("label", { for: `${id}-${name}` }, label), selects[name]));
  const box = el("details", { class: "filters" }, el("summary", {}, "Filtros"), el("div", { class: "grid" }, ...fields));
  container.append(box);
  let filled = null;

  function fill({ elections }) {
    const all = (key) => [...new Set(elections.flatMap((election) => Object.keys(election[key])))].sort();
    const values = { uf: all("states"), cargo: all("offices"), partido: all("parties"), ano: elections.map((election) => String(election.year)), fonte: SOURCES };
    for (const [name, select] of Object.entries(selects)) select.append(...values[name].map((value) => el("option", { value }, TYPES[value] || value)));
  }
  const load = () => (filled ||= coverage().then(fill).catch(() => { filled = null; }));
  box.addEventListener("toggle", load);

  async function put(filters) {
    if (Object.keys(filters).length) { await load(); box.open = true; }
    for (const [name, select] of Object.entries(selects)) select.value = filters[name] || "";
  }
  const values = () => Object.fromEntries(Object.entries(selects).map(([name, select]) => [name, select.value]).filter(([, value]) => value));
  return { values, put };
}
