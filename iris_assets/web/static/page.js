// A page of a plan: its picture with the quote boxed, or its text where there is no picture.
import { el, link, notice, problem } from "./dom.js";
import { get } from "./api.js";

const SVG = "http://www.w3.org/2000/svg";
const LARGEST_QUOTE = 4000;

export const loadPage = (hash, number, quote) => get(`documents/${hash}/pages/${number}`, { quote: (quote || "").slice(0, LARGEST_QUOTE) });

// A viewer that turns pages in place, by its buttons or the arrow keys.
export function pageViewer(hash, first, quote) {
  const where = el("b", { role: "status" });
  const previous = el("button", { type: "button", class: "small", onclick: () => turn(-1) }, "← Anterior");
  const next = el("button", { type: "button", class: "small", onclick: () => turn(1) }, "Próxima →");
  const pdf = el("span", {});
  const body = el("div", {});
  const box = el("div", { class: "viewer", role: "group", "aria-label": "Página do documento" }, el("div", { class: "turner" }, previous, where, next, pdf), body);
  let number = first, count = first;

  function turn(by) {
    if (number + by < 1 || number + by > count) return;
    number += by;
    load();
  }

  async function load() {
    const wanted = number;
    where.textContent = `Página ${wanted}…`;
    try {
      const page = await loadPage(hash, wanted, quote);
      if (wanted !== number) return;
      count = page.page_count;
      where.textContent = pageName(page);
      previous.setAttribute("aria-disabled", String(wanted <= 1));
      next.setAttribute("aria-disabled", String(wanted >= count));
      pdf.replaceChildren(...pdfLink(page));
      body.replaceChildren(...pageBody(page, quote));
    } catch (error) { where.textContent = ""; body.replaceChildren(problem(error)); }
  }

  box.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) { event.preventDefault(); turn(by); }
  });
  load();
  return box;
}

export const pageName = (page) => `Página ${page.number} de ${page.page_count}${page.label ? ` (impressa: ${page.label})` : ""}`;

const opened = (address, text) => link(new URL(address, location.origin).href, text);

export const pdfLink = (page) => (page.pdf ? [opened(`${page.pdf}#page=${page.number}`, "Abrir o PDF"), opened(page.picture, "Ampliar a imagem")] : []);

export function pageBody(page, quote) {
  const text = () => markedText(page, quote);
  if (!page.picture) return [notice("A imagem desta página não está guardada aqui; segue o texto lido dela."), text()];
  const folded = el("details", {}, el("summary", {}, `Texto da página ${page.number}${page.ocr ? ", reconhecido a partir da imagem" : ""}`), text());
  const sheet = sheetOf(page, () => { folded.open = true; sheet.replaceWith(notice("A imagem desta página não pôde ser mostrada; segue o texto lido dela.")); });
  const unmarked = quote && !page.boxes.length ? [el("p", { class: "help" }, "O trecho citado não está marcado nesta página.")] : [];
  return [...unmarked, sheet, folded];
}

function sheetOf(page, onMissing) {
  const boxes = document.createElementNS(SVG, "svg");
  for (const [name, value] of [["viewBox", "0 0 1 1"], ["preserveAspectRatio", "none"], ["aria-hidden", "true"]]) boxes.setAttribute(name, value);
  for (const [left, top, right, bottom] of page.boxes) {
    const rect = document.createElementNS(SVG, "rect");
    const values = { x: left - 0.006, y: top - 0.003, width: right - left + 0.012, height: bottom - top + 0.006 };
    for (const [name, value] of Object.entries(values)) rect.setAttribute(name, value);
    boxes.append(rect);
  }
  const image = el("img", { src: page.picture, alt: `Imagem da página ${page.number} do documento${page.boxes.length ? ", com o trecho citado marcado" : ""}` });
  const sheet = el("div", { class: "sheet" }, image, boxes);
  image.addEventListener("error", onMissing);
  image.addEventListener("load", () => boxes.querySelector("rect")?.scrollIntoView({ block: "center" }));
  return sheet;
}

// The text of a page with the parts of the quote marked that stand on it, whatever the line breaks.
function markedText(page, quote) {
  const box = el("div", { class: "quote" });
  if (!page.text) { box.append("Esta página não tem texto legível."); return box; }
  const parts = (quote || "").split("…").map((part) => part.trim().split(/\s+/).filter(Boolean).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+")).filter(Boolean);
  const pattern = parts.length ? new RegExp(`(${parts.join("|")})`) : null;
  box.append(...(pattern ? page.text.split(pattern).map((piece, at) => (at % 2 ? el("mark", {}, piece) : piece)) : [page.text]));
  return box;
}
