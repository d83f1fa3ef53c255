// A bill of the Câmara: as a card of a list and at its own address.
import { $, billAddress, day, el, facts, link, problem, share } from "./dom.js";
import { get } from "./api.js";
import { title } from "./router.js";

export async function showBill([, type, number, year]) {
  const name = `${type.toUpperCase()} ${number}/${year}`;
  $("h-proposicao").textContent = name;
  title(name);
  $("bill").replaceChildren();
  $("bill-status").textContent = "Carregando…";
  try {
    const { items } = await get(`propositions/${type}-${number}-${year}`);
    if ($("h-proposicao").textContent !== name) return;
    $("bill").replaceChildren(...items.map((bill) => el("div", { class: "card" }, ...record(bill))), share(location.pathname));
    $("bill-status").textContent = "";
  } catch (error) { $("bill-status").replaceChildren(problem(error)); }
}

export function billCard(bill) {
  return el("div", { class: "card" }, heading(bill), ...record(bill));
}

function heading(bill) {
  const address = billAddress(bill.reference);
  return el("h3", {}, address ? el("a", { href: address }, bill.reference) : bill.reference);
}

function record(bill) {
  const authors = bill.authors.map((author) => (author.is_main_author ? `${author.name} (proponente)` : author.name)).join("; ");
  return [bill.summary && el("p", {}, bill.summary), facts([
    ["Apresentação", day(bill.presentation_date)], ["Situação", bill.status], ["Autoria", authors], ["Temas", bill.topics.join("; ")],
    ["Página da Câmara", link(bill.human_url, bill.human_url)], ["Fonte dos dados", bill.url ? link(bill.url, bill.url) : null], ["Coletado em", day(bill.collected_at)],
  ])].filter(Boolean);
}
