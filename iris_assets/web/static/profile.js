// The profile of a candidate: registry, match in plain words, plans, bills with co-authors, offices held.
import { $, day, el, facts, link, notice } from "./dom.js";
import { get } from "./api.js";
import { candidateBox } from "./combobox.js";
import { show } from "./passage.js";

const TEXT_STATUS = {
  OK: "texto completo", PARTIAL: "texto parcial", EMPTY: "sem texto legível", OCR: "texto reconhecido por imagem", FAILED: "não pôde ser lido",
};

export function setUpProfile() {
  candidateBox($("profile-candidate"), { label: "Candidatura", placeholder: "Digite parte do nome", onChoose: (item) => { if (item) load(item); } });
}

async function load(item) {
  $("profile-status").textContent = "Carregando…";
  try {
    const path = `candidates/${encodeURIComponent(item.tse_id)}`;
    const year = { year: item.year };
    const [profile, documents, history, bills] = await Promise.all([
      get(path, year), get(`${path}/documents`, year), get(`${path}/history`, year), get(`${path}/propositions`, { ...year, page_size: 10 }),
    ]);
    const box = el("div", {});
    box.append(registry(profile), ...section("Planos de governo", documents.items.map(documentCard), "Nenhum plano registrado."));
    box.append(...billSection(path, year, bills));
    box.append(...section("Mandatos e cargos", history.items.map(periodCard), profile.match_status === "MATCHED" ? "Nenhum mandato registrado." : "Sem identificação segura na Câmara, nenhum mandato é atribuído."));
    $("profile").replaceChildren(box);
    $("profile-status").textContent = "";
  } catch (error) { $("profile-status").textContent = error.message; }
}

function registry(profile) {
  const card = el("div", { class: "card" }, el("h2", {}, profile.label));
  if (profile.removed_at_source) card.append(notice("Esta candidatura saiu da lista publicada pelo tribunal."));
  card.append(facts([
    ["Nome civil", profile.name], ["Eleição", profile.year], ["Situação do registro", profile.registration_status],
    ["Resultado", profile.round_result], ["Câmara dos Deputados", profile.match_text], ["Coletado em", day(profile.collected_at)],
    ["Fonte", profile.source_url ? link(profile.source_url, profile.source_url) : null],
  ]));
  return card;
}

function section(title, cards, none) {
  return [el("h2", {}, title), ...(cards.length ? cards : [el("p", { class: "help" }, none)])];
}

function documentCard(item) {
  const card = el("div", { class: "card" }, el("h3", {}, item.title || item.file_name || "Plano de governo"));
  card.append(facts([["Páginas", item.page_count], ["Texto", TEXT_STATUS[item.text_status] || item.text_status], ["Fonte", link(item.url, item.url)], ["Coletado em", day(item.collected_at)]]));
  card.append(el("div", { class: "actions" }, el("button", { type: "button", onclick: () => openDocument(item) }, "Ler o texto por página")));
  return card;
}

async function openDocument(item) {
  const found = await get(`documents/${item.document_hash}`);
  const body = el("div", {});
  for (const page of found.pages) body.append(el("h3", {}, `Página ${page.number}${page.label ? ` (impressa: ${page.label})` : ""}${page.ocr ? " — reconhecida por imagem" : ""}`), el("div", { class: "quote" }, page.text));
  if (!found.pages.length) body.append(notice("Este documento não tem texto legível."));
  show(item.title || "Plano de governo", body);
}

function billSection(path, year, first) {
  const list = el("div", {}, ...first.items.map(billCard));
  const more = el("button", { type: "button", hidden: first.total <= first.items.length }, "Mostrar mais proposições");
  let page = 1;
  more.addEventListener("click", async () => {
    const next = await get(`${path}/propositions`, { ...year, page: ++page, page_size: 10 });
    list.append(...next.items.map(billCard));
    more.hidden = page * 10 >= next.total;
  });
  return [el("h2", {}, `Proposições (${first.total})`), first.total ? list : el("p", { class: "help" }, "Nenhuma proposição registrada."), more];
}

function billCard(bill) {
  const card = el("div", { class: "card" }, el("h3", {}, bill.reference));
  if (bill.summary) card.append(el("p", {}, bill.summary));
  const authors = bill.authors.map((author) => (author.is_main_author ? `${author.name} (proponente)` : author.name)).join("; ");
  card.append(facts([["Apresentação", day(bill.presentation_date)], ["Situação", bill.status], ["Autoria", authors], ["Temas", bill.topics.join("; ")], ["Fonte", bill.url ? link(bill.url, bill.url) : null]]));
  return card;
}

function periodCard(period) {
  const when = [day(period.start_date), period.end_date ? day(period.end_date) : "sem fim registrado"].join(" a ");
  return el("div", { class: "card" }, el("h3", {}, `${period.position} — ${period.institution}`), facts([
    ["Período", when], ["Partido e UF", [period.party, period.state].filter(Boolean).join("/")], ["Município", period.municipality], ["Situação", period.status],
    ["Fonte", period.url ? link(period.url, period.url) : null],
  ]));
}
