// The profile of a candidate: registry, match in plain words, plans, bills with co-authors, offices held.
import { $, candidateAddress, day, el, facts, link, notice, problem, share } from "./dom.js";
import { get } from "./api.js";
import { billCard } from "./bill.js";
import { candidateBox } from "./combobox.js";
import { figure } from "./figures.js";
import { go, title } from "./router.js";

const TEXT_STATUS = {
  OK: "texto completo", PARTIAL: "texto parcial", EMPTY: "sem texto legível", OCR: "texto reconhecido por imagem", FAILED: "não pôde ser lido",
};

let box = null;

export function setUpProfile() {
  box = candidateBox($("profile-candidate"), { label: "Candidatura", placeholder: "Nome, partido ou número", onChoose: (item) => { if (item) go(candidateAddress(item)); } });
}

export async function showProfile([, year, id]) {
  $("profile").replaceChildren();
  $("profile-status").textContent = id ? "Carregando…" : "";
  if (!id) { box.put(null); return; }
  const here = location.pathname;
  try {
    const path = `candidates/${encodeURIComponent(id)}`;
    const [profile, documents, history, bills, figures] = await Promise.all([
      get(path, { year }), get(`${path}/documents`, { year }), get(`${path}/history`, { year }), get(`${path}/propositions`, { year, page_size: 10 }), get(`${path}/figures`, { year }),
    ]);
    if (location.pathname !== here) return;
    box.put(profile);
    title(profile.label);
    const page = el("div", {});
    page.append(registry(profile), ...section("Planos de governo", documents.items.map(documentCard), "Nenhum plano registrado."));
    page.append(...billSection(path, { year }, bills, [figure("Proposições por ano", figures.by_year), figure("Proposições por tema", figures.by_theme)]));
    page.append(...section("Mandatos e cargos", history.items.map(periodCard), profile.match_status === "MATCHED" ? "Nenhum mandato registrado." : "Sem identificação segura na Câmara, nenhum mandato é atribuído."));
    if (profile.changes.length) page.append(...section("Correções do tribunal", [changesCard(profile.changes)], ""));
    $("profile").replaceChildren(page);
    $("profile-status").textContent = "";
  } catch (error) { $("profile-status").replaceChildren(problem(error)); }
}

function registry(profile) {
  const card = el("div", { class: "card" }, el("h2", {}, profile.label));
  if (profile.removed_at_source) card.append(notice("Esta candidatura saiu da lista publicada pelo tribunal."));
  card.append(facts([
    ["Nome civil", profile.name], ["Município ou UF", profile.electoral_unit], ["Chapa", profile.ticket.map((item) => item.label).join("; ")], ["Eleição", profile.year], ["Situação do registro", profile.registration_status],
    ["Resultado", profile.round_result], ["Câmara dos Deputados", profile.match_text], ["Coletado em", day(profile.collected_at)],
    ["Página do TSE", link(profile.human_url, "DivulgaCandContas")], ["Arquivo coletado", profile.source_url ? link(profile.source_url, profile.source_url) : null],
  ]));
  const ask = el("a", { href: `/?${new URLSearchParams({ c: profile.tse_id })}` }, "Perguntar sobre esta candidatura");
  card.append(el("p", { class: "links" }, ask, " · ", el("a", { href: `/comparar?${new URLSearchParams({ c: profile.tse_id })}` }, "Comparar com outras"), " ", share(candidateAddress(profile))));
  return card;
}

const FIELD = {
  name: "nome civil", ballot_name: "nome na urna", party: "partido", party_number: "número do partido", office: "cargo", state: "UF",
  electoral_unit: "unidade eleitoral", electoral_unit_name: "município", candidate_number: "número na urna", round: "turno",
  registration_status: "situação do registro", round_result: "resultado", removed_at_source: "retirada da lista publicada",
};

function changesCard(changes) {
  const spoken = (value) => ({ True: "sim", False: "não" })[value] ?? value ?? "sem valor";
  return el("div", { class: "card" }, facts(changes.map((item) => [`${day(item.changed_at)}, ${FIELD[item.field] || item.field}`, `${spoken(item.before)} → ${spoken(item.after)}`])));
}

function section(title, cards, none) {
  return [el("h2", {}, title), ...(cards.length ? cards : [el("p", { class: "help" }, none)])];
}

function documentCard(item) {
  const card = el("div", { class: "card" }, el("h3", {}, item.title || item.file_name || "Plano de governo"));
  card.append(facts([["Páginas", item.page_count], ["Texto", TEXT_STATUS[item.text_status] || item.text_status], ["Fonte", link(item.url, item.url)], ["Coletado em", day(item.collected_at)]]));
  if (item.page_count) card.append(el("p", { class: "links" }, el("a", { href: `/documento/${item.document_hash}` }, "Ler página por página")));
  return card;
}

function billSection(path, year, first, figures) {
  const list = el("div", {}, ...first.items.map(billCard));
  const more = el("button", { type: "button", hidden: first.total <= first.items.length }, "Mostrar mais proposições");
  let page = 1;
  more.addEventListener("click", async () => {
    const next = await get(`${path}/propositions`, { ...year, page: ++page, page_size: 10 });
    list.append(...next.items.map(billCard));
    more.hidden = page * 10 >= next.total;
  });
  return [el("h2", {}, `Proposições (${first.total})`), ...figures.filter(Boolean), first.total ? list : el("p", { class: "help" }, "Nenhuma proposição registrada."), more];
}

function periodCard(period) {
  const when = [day(period.start_date), period.end_date ? day(period.end_date) : "sem fim registrado"].join(" a ");
  return el("div", { class: "card" }, el("h3", {}, `${period.position} — ${period.institution}`), facts([
    ["Período", when], ["Partido e UF", [period.party, period.state].filter(Boolean).join("/")], ["Município", period.municipality], ["Situação", period.status],
    ["Fonte", period.url ? link(period.url, period.url) : null],
  ]));
}
