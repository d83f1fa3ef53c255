// Two to four candidates side by side, in the server's neutral order, with exports of the same table.
import { $, candidateAddress, el, link, notice, problem, share } from "./dom.js";
import { get } from "./api.js";
import { candidateBox } from "./combobox.js";
import { coverage } from "./filters.js";
import { go, title } from "./router.js";
import { ownAddress } from "./source.js";

const LIMIT = 4;
const chosen = new Map();

export function setUpCompare() {
  candidateBox($("compare-candidate"), {
    label: "Adicionar candidatura", placeholder: "Nome, partido ou número", keep: false,
    onChoose: (item) => { if (item && chosen.size < LIMIT) { chosen.set(item.tse_id, item); showChosen(); } },
  });
  // Suggestions for the theme: the topics of the stored bills.
  $("topic").addEventListener("focus", () => {
    coverage().then(({ topics }) => $("topics").replaceChildren(...topics.map((value) => el("option", { value })))).catch(() => {});
  }, { once: true });
  $("compare-form").addEventListener("submit", (event) => { event.preventDefault(); submit(); });
}

const addressOf = (ids, topic) => `/comparar?${new URLSearchParams([...ids.map((id) => ["c", id]), ...(topic ? [["tema", topic]] : [])])}`;

function submit() {
  if (chosen.size < 2) { $("compare-status").textContent = "Escolha ao menos duas candidaturas."; return; }
  go(addressOf([...chosen.keys()], $("topic").value.trim()));
}

export async function showComparison(match, parameters) {
  const ids = [...new Set(parameters.getAll("c"))].slice(0, LIMIT);
  const topic = parameters.get("tema") || "";
  const here = location.search;
  $("comparison").replaceChildren();
  $("topic").value = topic;
  try {
    const people = await Promise.all(ids.map((id) => chosen.get(id) || get(`candidates/${encodeURIComponent(id)}`)));
    if (location.search !== here) return;
    chosen.clear();
    for (const one of people) chosen.set(one.tse_id, one);
    showChosen();
    if (chosen.size > 1) await compare(topic);
  } catch (error) { $("compare-status").replaceChildren(problem(error)); }
}

function showChosen() {
  $("compare-chosen").replaceChildren(...[...chosen.values()].map((item) => {
    const remove = el("button", { type: "button", "aria-label": `Tirar ${item.label}`, onclick: () => { chosen.delete(item.tse_id); showChosen(); } }, "×");
    return el("li", {}, item.label, remove);
  }));
  $("compare-status").textContent = chosen.size === LIMIT ? "Quatro candidaturas: o máximo." : "";
}

async function compare(topic) {
  $("compare-status").textContent = "Procurando…";
  const parameters = { candidate: [...chosen.keys()], topic };
  const here = location.search;
  const result = await get("comparison", parameters);
  if (location.search !== here) return;
  title(`Comparação: ${result.columns.map((column) => column.candidate.ballot_name || column.candidate.name).join(", ")}${topic ? ` sobre ${topic}` : ""}`);
  $("comparison").replaceChildren(...result.notices.map(notice), ...tableOf(result), exports(parameters), share(addressOf(parameters.candidate, topic)));
  $("compare-status").textContent = "Pronto.";
}

function tableOf(result) {
  const row = (title, cell) => el("tr", {}, el("th", { scope: "row" }, title), ...result.columns.map((column) => el("td", {}, ...[cell(column)].flat())));
  const head = el("tr", {}, el("td", {}), ...result.columns.map((column) => el("th", { scope: "col" }, el("a", { href: candidateAddress(column.candidate) }, column.candidate.label))));
  const body = el("tbody", {},
    row("Nome civil", (c) => c.candidate.name),
    row("Situação do registro", (c) => c.candidate.registration_status || "não informada"),
    row("Câmara dos Deputados", (c) => c.candidate.match_text),
    row("Planos de governo", (c) => String(c.documents.length)),
    row("Proposições", (c) => String(c.candidate.proposition_count)),
    row("Temas das proposições", (c) => c.topics.join("; ") || "nenhum"));
  if (result.topic) body.append(row(`Sobre: ${result.topic}`, (c) => (c.passages.length ? c.passages.map(passage) : c.absence || "nada encontrado sobre o tema")));
  const grid = el("table", { class: `equal columns-${result.columns.length}` }, el("thead", {}, head), body);
  return [columnSwitch(result, grid), el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Comparação" }, grid)];
}

function passage(item) {
  const name = `${item.title}${item.page_start ? `, p. ${item.page_start}` : ""}`;
  const own = ownAddress({ ...item, quote: item.excerpt, candidates: [] });
  return el("p", {}, `“${item.excerpt}” `, own ? el("a", { href: own }, name) : item.url ? link(item.url, name) : name);
}

// On a phone one column is read at a time; on a wide screen the switch is not shown.
function columnSwitch(result, grid) {
  const buttons = result.columns.map((column, at) => el("button", { type: "button", class: "small", "aria-pressed": String(at === 0), onclick: () => turn(at) }, column.candidate.ballot_name || column.candidate.name));
  function turn(at) {
    grid.dataset.shown = String(at + 1);
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === at)));
  }
  turn(0);
  return el("div", { class: "switch", role: "group", "aria-label": "Candidatura mostrada" }, ...buttons);
}

function exports(parameters) {
  const query = (format) => {
    const values = new URLSearchParams([...parameters.candidate.map((id) => ["candidate", id]), ["topic", parameters.topic], ["format", format]]);
    return `/api/comparison?${values}`;
  };
  const formats = [["markdown", "Markdown", "comparacao.md"], ["csv", "CSV", "comparacao.csv"], ["json", "JSON", "comparacao.json"]];
  return el("p", {}, "Exportar: ", ...formats.flatMap(([format, name, file], i) => [i ? " · " : "", el("a", { href: query(format), download: file }, name)]));
}
