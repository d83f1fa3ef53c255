// Elements made from text only: nothing that the server sends is ever read as HTML.

export const $ = (id) => document.getElementById(id);

export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "onclick") node.addEventListener("click", value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

// Only web addresses become links; anything else stays text.
export function link(url, text) {
  let parsed = null;
  try { parsed = new URL(url); } catch { /* no address: shown as text */ }
  if (!parsed || !["https:", "http:"].includes(parsed.protocol)) return document.createTextNode(url || "");
  return el("a", { href: parsed.href, rel: "noopener noreferrer", target: "_blank" }, text || parsed.href);
}

export const notice = (text) => el("p", { class: "notice" }, text);

// What failed, in words; what a developer needs is folded under it.
export function problem(error) {
  const details = error.body?.details;
  const box = notice(error.message || String(error));
  if (!details || !error.body.code) return box;
  const told = Array.isArray(details) ? details.map((one) => `${one.field}: ${one.message}`) : [details.technical, details.hint];
  return el("div", {}, box, el("details", {}, el("summary", {}, "Detalhes técnicos"), el("p", { class: "help" }, [error.body.code, ...told].filter(Boolean).join(" · "))));
}

export function facts(pairs) {
  const list = el("dl", { class: "facts" });
  for (const [name, value] of pairs) {
    if (value === null || value === undefined || value === "") continue;
    list.append(el("dt", {}, name), el("dd", {}, value));
  }
  return list;
}

export const day = (iso) => (iso ? iso.slice(0, 10).split("-").reverse().join("/") : "");

export const pages = (first, last) => (!first ? "" : !last || last === first ? `p. ${first}` : `p. ${first}–${last}`);

export const TYPES = {
  PROPOSITION: "Proposição", GOVERNMENT_PROPOSAL: "Plano de governo", POLITICAL_HISTORY: "Histórico político",
  NEWS_ARTICLE: "Notícia (fonte não oficial)", PROPOSITION_TOPIC_AGGREGATE: "Contagem exata", COUNT_AGGREGATE: "Contagem exata",
  CANDIDATE: "Registro de candidatura",
};

export const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

export const candidateAddress = (candidate) => `/candidatura/${candidate.year}/${encodeURIComponent(candidate.tse_id)}`;

// "PL 1234/2023" → its address on this page; nothing for a title that is no bill's.
export function billAddress(reference) {
  const found = reference.match(/^([A-Z]+) (\d+)\/(\d{4})/);
  return found && `/proposicao/${found.slice(1).join("-")}`;
}

// Copies an address of this page; where copying is not allowed the address is shown to be copied by hand.
export function share(address) {
  const whole = new URL(address, location.origin).href;
  const told = el("span", { role: "status" });
  const copy = async () => {
    try { await navigator.clipboard.writeText(whole); told.textContent = " Endereço copiado."; } catch { told.textContent = ` Copie: ${whole}`; }
  };
  return el("span", {}, el("button", { type: "button", class: "small", onclick: copy }, "Copiar endereço"), told);
}
