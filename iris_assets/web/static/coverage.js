// "O que há aqui": which elections, plans and bills are stored, and when they were last collected.
import { $, day, el, facts, problem } from "./dom.js";
import { coverage } from "./filters.js";

export async function showCoverage() {
  try {
    const found = await coverage();
    const parts = found.elections.flatMap(election);
    if (!found.elections.length) parts.push(el("p", {}, "Ainda não há registros guardados aqui."));
    parts.push(el("h2", {}, "Proposições da Câmara dos Deputados"), el("p", {}, `${found.bills} proposições de quem é candidato e foi identificado na Câmara.`));
    if (found.bills) parts.push(table("Proposições por ano", ["Ano", "Proposições"], Object.entries(found.bills_by_year)));
    parts.push(el("h2", {}, "Última coleta"));
    parts.push(found.collections.length ? table("Última coleta", ["O quê", "UF", "Quando", "Como terminou"], found.collections.map(collected)) : el("p", { class: "help" }, "Nenhuma coleta registrada."));
    $("coverage").replaceChildren(...parts);
  } catch (error) { $("coverage").replaceChildren(problem(error)); }
}

const counted = (values) => Object.entries(values).map(([name, count]) => `${name} (${count})`).join(", ");

function election(one) {
  const plans = one.plans;
  return [el("h2", {}, `Eleição de ${one.year}`), facts([
    ["Candidaturas", one.candidates], ["Por UF (BR: presidente)", counted(one.states)], ["Por cargo", counted(one.offices)], ["Partidos", Object.keys(one.parties).join(", ")],
    ["Planos que se podem ler", plans.with_text], ["Planos só com imagem ou ilegíveis", plans.image_only],
    ["Candidaturas sem plano guardado", plans.with_text + plans.image_only ? plans.missing : "nenhum plano foi coletado"],
  ])];
}

const collected = (one) => [one.what, [one.partition, one.year].filter(Boolean).join(" "), day(one.finished_at), one.failed ? `${one.status} (${one.failed} ${one.failed === 1 ? "registro falhou" : "registros falharam"})` : one.status];

function table(name, heads, rows) {
  const row = (cells, tag, scope) => el("tr", {}, ...cells.map((cell) => el(tag, { scope }, String(cell))));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name }, el("table", {}, el("thead", {}, row(heads, "th", "col")), el("tbody", {}, ...rows.map((cells) => row(cells, "td")))));
}
