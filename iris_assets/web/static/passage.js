// The dialog with a passage: highlighted span, page, official link, where it comes from.
import { $, TYPES, day, el, facts, link, pages } from "./dom.js";

export function openPassage(source, span) {
  const body = el("div", {});
  const where = [TYPES[source.source_type] || source.source_type, pages(source.page_start, source.page_end)].filter(Boolean).join(", ");
  // Page and official link stand above the passage, which scrolls by itself: they are always in sight.
  body.append(el("p", { class: "where" }, where));
  if (source.url) body.append(el("p", { class: "where" }, "Fonte oficial: ", link(source.url, source.url)));
  body.append(quote(source.quote, span || source.span));
  body.append(facts([
    ["Candidaturas", source.candidates.map((candidate) => candidate.label).join("; ")],
    ["Página impressa", source.page_label],
    ["Eleição", source.election_year],
    ["Coletado em", day(source.collected_at)],
    ["Identificador", source.source_id],
    ["Impressão digital (SHA-256)", source.source_hash],
  ]));
  show(`[${source.evidence_id}] ${source.title}`, body);
}

export function show(title, body) {
  const dialog = $("passage");
  $("passage-title").textContent = title;
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
