// The source behind a citation: highlighted span, page, official link, where it comes from; and a document page by page.
import { $, TYPES, billAddress, candidateAddress, day, el, facts, link, pages, problem, share } from "./dom.js";
import { get } from "./api.js";
import { loadPage, pageBody, pageName, pageViewer, pdfLink } from "./page.js";
import { title } from "./router.js";

export function openSource(source, span) {
  const body = el("div", {});
  const where = [TYPES[source.source_type] || source.source_type, pages(source.page_start, source.page_end)].filter(Boolean).join(", ");
  // Page and official link stand above the passage, which scrolls by itself: they are always in sight.
  body.append(el("p", { class: "where" }, where));
  const official = source.human_url || source.url;
  if (official) body.append(el("p", { class: "where" }, "Fonte oficial: ", link(official, official)));
  const own = ownAddress(source);
  if (own) body.append(el("p", { class: "where" }, el("a", { href: own }, "Abrir em página própria"), " ", share(own)));
  body.append(quote(source.quote, span || source.span));
  if (source.source_type === "GOVERNMENT_PROPOSAL" && source.page_start) body.append(el("h3", {}, "Na página do documento"), pageViewer(source.source_id, source.page_start, source.quote));
  if (source.list_url) body.append(el("h3", {}, "O que foi contado"), counted(source.list_url));
  body.append(facts([
    ["Candidaturas", source.candidates.map((candidate) => candidate.label).join("; ")],
    ["Página impressa", source.page_label],
    ["Eleição", source.election_year],
    ["Coletado em", day(source.collected_at)],
    ["Arquivo coletado", source.url && official !== source.url ? link(source.url, source.url) : null],
    ["Onde no arquivo", source.locator],
    ["Identificador", source.source_id],
    ["Impressão digital (SHA-256)", source.source_hash],
  ]));
  show(`[${source.evidence_id}] ${source.title}`, body);
}

// The list behind a count, a page at a time, each entry with its own address.
function counted(address) {
  const [box, list, told] = [el("div", {}), el("ol", {}), el("p", { class: "help", role: "status" })];
  const load = async (page) => {
    const { items, total } = await get(address.replace("/api/", ""), { page: page > 1 ? page : "" });
    list.append(...items.map(listed));
    told.textContent = `${list.children.length} de ${total}`;
    more.hidden = !items.length || list.children.length >= total;
    more.onclick = () => load(page + 1).catch(failed);
  };
  const failed = (error) => told.replaceChildren(problem(error));
  const more = el("button", { type: "button", hidden: true }, "Mostrar mais");
  box.append(told, list, more);
  load(1).catch(failed);
  return box;
}

function listed(one) {
  const place = one.tse_id ? candidateAddress(one) : one.document_hash ? documentAddress(one.document_hash) : billAddress(one.reference || "");
  const name = one.label || one.reference || one.title || [one.position, one.institution].filter(Boolean).join(", ");
  return el("li", {}, place ? el("a", { href: place }, name) : name);
}

const documentAddress = (hash, page, quote) => `/documento/${hash}?${new URLSearchParams({ ...(page && { p: page }), ...(quote && { trecho: quote }) })}`;

// The address on this page of what a source was taken from.
export function ownAddress(source) {
  if (source.source_type === "GOVERNMENT_PROPOSAL") return documentAddress(source.source_id, source.page_start, source.quote);
  if (source.source_type === "PROPOSITION") return billAddress(source.title);
  return source.source_type === "CANDIDATE" && source.candidates[0] ? candidateAddress(source.candidates[0]) : null;
}

export function show(heading, body) {
  const dialog = $("passage");
  $("passage-title").textContent = heading;
  $("passage-body").replaceChildren(body);
  if (!dialog.open) dialog.showModal();
  $("passage-title").focus();
  const marked = body.querySelector("mark");
  if (marked) marked.parentElement.scrollTop = marked.offsetTop - 48;
}

function quote(text, span) {
  const box = el("blockquote", { class: "quote passage", tabindex: "0", "aria-label": "Trecho do documento" });
  // The server counts Unicode characters, JavaScript counts UTF-16 units.
  const chars = Array.from(text);
  // A line of the PDF that goes on in lower case is one sentence: shown as running text, of the same length.
  chars.forEach((char, at) => { if (char === "\n" && chars[at - 1] !== "\n" && /\p{Ll}/u.test(chars[at + 1] || "")) chars[at] = " "; });
  if (!span) { box.append(text); return box; }
  const cut = (from, to) => chars.slice(from, to).join("");
  box.append(cut(0, span.start), el("mark", {}, cut(span.start, span.end)), cut(span.end, chars.length));
  return box;
}

export function setUpDialog() {
  const dialog = $("passage");
  $("passage-close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
}

// `/documento/{hash}?p=…&trecho=…`: one page of a plan with the passage boxed, its neighbours, who filed it, its source.
export async function showDocument([, hash], parameters) {
  const [number, quote, here] = [Math.max(Number(parameters.get("p")) || 1, 1), parameters.get("trecho") || "", location.href];
  $("document-status").textContent = "Carregando…";
  try {
    const [found, page] = await Promise.all([get(`documents/${hash}`, { text: false }), loadPage(hash, number, quote)]);
    if (location.href !== here) return;
    const name = found.title || "Plano de governo";
    $("h-documento").textContent = name;
    title(`${name}, página ${number}`);
    $("document").replaceChildren(turner(hash, page), ...pageBody(page, quote), origin(found), share(documentAddress(hash, number, quote)));
    $("document-status").textContent = "";
  } catch (error) { $("document").replaceChildren(); $("document-status").replaceChildren(problem(error)); }
}

function turner(hash, page) {
  const to = (number, text) => (number < 1 || number > page.page_count ? null : el("a", { href: documentAddress(hash, number) }, text));
  return el("nav", { class: "turner", "aria-label": "Páginas do documento" }, to(page.number - 1, "← Página anterior"), el("b", {}, pageName(page)), to(page.number + 1, "Próxima página →"), ...pdfLink(page));
}

function origin(found) {
  const owners = found.candidates.flatMap((one, at) => [at ? "; " : "", el("a", { href: candidateAddress(one) }, one.label)]);
  return facts([["Candidaturas", owners.length ? el("span", {}, ...owners) : null], ["Eleição", found.election_year], ["Fonte oficial", link(found.url, found.url)], ["Arquivo", found.file_name], ["Coletado em", day(found.collected_at)]]);
}
