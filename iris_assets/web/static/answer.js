// An answer on the page: its text with citations that open, its sources, notices and what was taken out.
import { TYPES, candidateAddress, day, el, folded, notice, pages, share } from "./dom.js";
import { post } from "./api.js";
import { openSource } from "./source.js";

// `told` are the notices that the reader has seen in this thread.
export function renderAnswer(answer, told = new Set()) {
  const box = el("article", { "aria-label": "Resposta" });
  box.append(el("h2", { tabindex: "-1", class: "answer-title" }, answer.question));
  box.append(kinds(answer), textOf(answer));
  box.append(el("div", { class: "notices" }, ...answer.notices.filter((text) => !told.has(text)).map(notice)));
  addSources(box, "Fontes citadas", answer.sources.filter((source) => source.cited));
  addSources(box, "Fontes consultadas, não citadas", answer.sources.filter((source) => !source.cited));
  addRemoved(box, "retirados da resposta", answer.removed);
  addRemoved(box, "com dúvida, confira na fonte", answer.flagged);
  box.append(el("p", { class: "help" }, `Data de referência: ${day(answer.as_of)}. `, ...permalink(answer)));
  if (answer.answer_id) box.append(feedback(answer.answer_id));
  return box;
}

// Whether the answer helped: kept by this service alone.
function feedback(id) {
  const box = el("p", { class: "help feedback", role: "status" }, "Esta resposta ajudou? ");
  const tell = async (helped) => {
    try { await post(`answers/${encodeURIComponent(id)}/feedback`, { helped }); box.textContent = "Obrigado. A sua opinião fica guardada só neste serviço."; } catch (error) { box.textContent = error.message; }
  };
  for (const [text, helped] of [["Sim", true], ["Não", false]]) box.append(el("button", { type: "button", class: "small", "aria-label": `${text}, esta resposta ${helped ? "ajudou" : "não ajudou"}`, onclick: () => tell(helped) }, text), " ");
  return box;
}

function permalink(answer) {
  if (!answer.answer_id) return [];
  const address = `/r/${encodeURIComponent(answer.answer_id)}`;
  return [el("a", { href: address }, "Endereço permanente desta resposta"), " ", share(address)];
}

// Whether the answer is about the candidate of the answer before it although its question does not name them.
export function continues(answer, before) {
  const [now, earlier] = [answer.candidate, before.candidate];
  if (!now || now.tse_id !== earlier?.tse_id) return false;
  const words = new Set(folded(answer.question).split(/[^a-z0-9]+/));
  return !folded(`${now.ballot_name || ""} ${now.name} ${now.tse_id}`).split(" ").some((word) => word.length > 3 && words.has(word));
}

function kinds(answer) {
  const line = el("p", {});
  line.append(el("span", { class: "kind" }, answer.generated ? "Texto gerado e conferido" : answer.sources.some((s) => s.cited) ? "Extrato literal" : "Texto fixo"));
  if (answer.candidate) line.append(el("a", { class: "kind", href: candidateAddress(answer.candidate) }, answer.candidate.label));
  return line;
}

function textOf(answer) {
  const seen = {};
  const open = (id) => {
    const nth = (seen[id] = (seen[id] ?? -1) + 1);
    const source = answer.sources.find((item) => item.evidence_id === id);
    const own = answer.citations.filter((citation) => citation.evidence_id === id);
    const span = own[Math.min(nth, own.length - 1)]?.span;
    if (!source) return document.createTextNode(`[${id}]`);
    return el("button", { type: "button", class: "cite", "aria-label": `Abrir o trecho ${id}: ${source.title}`, onclick: () => openSource(source, span) }, id);
  };
  const text = el("div", { class: "text" });
  for (const block of blocksOf(answer.answer)) text.append(block(open));
  return text;
}

// Paragraphs, lists, headings and tables: the little Markdown that answers hold.
function blocksOf(text) {
  const blocks = [];
  let list = null, table = null;
  const lines = text.split("\n");
  for (const [at, line] of lines.entries()) {
    const item = line.match(/^\s*(?:[-*•]|(\d{1,3})[.)])\s+(.*)$/);
    const heading = line.match(/^#{1,6}\s+(.*)$/);
    const row = line.trim().startsWith("|");
    if (!item) list = null;
    if (!row) table = null;
    if (!line.trim()) continue;
    if (item) {
      if (!list) { const items = []; list = items; blocks.push((open) => el(item[1] ? "ol" : "ul", {}, ...items.map((entry) => el("li", {}, ...inline(entry, open))))); }
      list.push(item[2]);
    } else if (row) {
      if (!table) { const rows = []; table = rows; blocks.push((open) => tableOf(rows, open)); }
      if (!/^[\s|:-]+$/.test(line)) table.push(line.trim().replace(/^\||\|$/g, "").split("|"));
    } else if (heading) blocks.push((open) => el("h3", {}, ...inline(heading[1], open)));
    else {
      // A line without citation over a list says whose it is.
      const heads = !/\[E\d+\]/.test(line) && /^\s*[-*•]\s/.test(lines[at + 1] || "");
      blocks.push((open) => el("p", heads ? { class: "who" } : {}, ...inline(line, open)));
    }
  }
  return blocks;
}

function tableOf(rows, open) {
  const [head = [], ...body] = rows;
  const cells = (row, tag) => el("tr", {}, ...row.map((cell) => el(tag, {}, ...inline(cell.trim(), open))));
  const grid = el("table", {}, el("thead", {}, cells(head, "th")), el("tbody", {}, ...body.map((row) => cells(row, "td"))));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Tabela da resposta" }, grid);
}

function inline(text, open) {
  return text.split(/(\[E\d+\]|\*\*[^*]+\*\*)/).filter(Boolean).map((part) => {
    const citation = part.match(/^\[(E\d+)\]$/);
    if (citation) return open(citation[1]);
    const bold = part.match(/^\*\*([^*]+)\*\*$/);
    return bold ? el("strong", {}, bold[1]) : document.createTextNode(part);
  });
}

function addSources(box, title, sources) {
  if (!sources.length) return;
  box.append(el("h3", {}, `${title} (${sources.length})`));
  box.append(el("ul", { class: "sources" }, ...sources.map((source) => el("li", {}, sourceButton(source)))));
}

function sourceButton(source) {
  const where = [TYPES[source.source_type] || source.source_type, pages(source.page_start, source.page_end), source.election_year && `eleição ${source.election_year}`];
  const button = el("button", { type: "button", class: "source", onclick: () => openSource(source) });
  button.append(el("b", {}, source.evidence_id), ` ${source.title}`, el("span", {}, where.filter(Boolean).join(" · ")));
  return button;
}

function addRemoved(box, what, items) {
  if (!items.length) return;
  const list = el("ul", {}, ...items.map((item) => el("li", {}, `“${item.text}” — ${item.detail}.`)));
  box.append(el("details", {}, el("summary", {}, `${items.length} ${items.length === 1 ? "trecho" : "trechos"} ${what}`), list));
}
