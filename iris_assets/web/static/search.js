// The search tab: passages of the records by words and filters, each opening its source.
import { $, TYPES, el, pages, problem } from "./dom.js";
import { post } from "./api.js";
import { filterBox, fromAddress, toRequest } from "./filters.js";
import { go, title } from "./router.js";
import { openSource } from "./source.js";

const MOST = 20;
let box = null;

export function setUpSearch() {
  box = filterBox($("search-filters"), "sf");
  $("search-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const query = $("search-query").value.trim();
    if (query) go(`/busca?${new URLSearchParams({ q: query, ...box.values() })}`); else $("search-query").focus();
  });
}

export async function showSearch(match, parameters) {
  const [query, filters, here] = [parameters.get("q") || "", fromAddress(parameters), location.href];
  $("search-query").value = query;
  $("results").replaceChildren();
  $("search-status").textContent = query ? "Procurando…" : "";
  try {
    await box.put(filters);
    if (!query || location.href !== here) return;
    title(`Busca: ${query}`);
    const found = await post("search", { query, filters: toRequest(filters), top_k: MOST });
    if (location.href !== here) return;
    $("search-status").textContent = found.results.length ? `${found.results.length} ${found.results.length === 1 ? "trecho" : "trechos"}, em ordem alfabética do nome de urna.` : "Nada foi encontrado. Tente outras palavras ou menos filtros.";
    const owner = (one) => one.candidates[0]?.ballot_name || one.candidates[0]?.name || "";
    found.results.sort((one, other) => owner(one).localeCompare(owner(other), "pt-BR"));
    $("results").replaceChildren(...found.results.map((one) => el("li", {}, result(one))));
  } catch (error) { $("search-status").replaceChildren(problem(error)); }
}

function result(one) {
  const source = { ...one, quote: one.quote || one.content, page_start: one.quote_page_start ?? one.page_start, page_end: one.quote_page_end ?? one.page_end };
  const where = [TYPES[one.source_type], pages(source.page_start, source.page_end), one.candidates.map((candidate) => candidate.label).join("; ")];
  const text = source.quote.length > 400 ? `${source.quote.slice(0, 400)}…` : source.quote;
  return el("button", { type: "button", class: "source", onclick: () => openSource(source) }, el("b", {}, one.title), el("span", {}, where.filter(Boolean).join(" · ")), el("span", { class: "said" }, text));
}
