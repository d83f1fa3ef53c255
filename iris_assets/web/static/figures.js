// Bills by year and theme as bars, proposed apart from signed; the same numbers as a table for whoever does not see them.
import { el } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const ROW = 26, LABEL = 220, WIDTH = 640;

export function figure(title, items) {
  if (items.length < 2) return null;
  return el("figure", { class: "card" }, el("figcaption", {}, el("h3", {}, title), legend()), bars(items), el("details", {}, el("summary", {}, "Ver como tabela"), table(title, items)));
}

const legend = () => el("p", { class: "help legend" }, el("span", { class: "key proposed" }), "propôs ", el("span", { class: "key signed" }), "assinou com outras pessoas");

function bars(items) {
  const most = Math.max(...items.map((item) => item.proposed + item.signed));
  const unit = (WIDTH - LABEL - 50) / most;
  const box = part("svg", { viewBox: `0 0 ${WIDTH} ${items.length * ROW}`, "aria-hidden": "true", class: "bars" });
  for (const [at, item] of items.entries()) {
    const y = at * ROW;
    box.append(part("text", { x: LABEL - 8, y: y + 17, "text-anchor": "end" }, short(item.name)));
    box.append(part("rect", { x: LABEL, y: y + 4, width: item.proposed * unit, height: ROW - 8, class: "proposed" }));
    box.append(part("rect", { x: LABEL + item.proposed * unit, y: y + 4, width: item.signed * unit, height: ROW - 8, class: "signed" }));
    box.append(part("text", { x: LABEL + (item.proposed + item.signed) * unit + 6, y: y + 17 }, `${item.proposed + item.signed}`));
  }
  return box;
}

function table(title, items) {
  const row = (cells, tag) => el("tr", {}, ...cells.map((cell, at) => el(at ? tag : "th", at ? {} : { scope: tag === "th" ? "col" : "row" }, `${cell}`)));
  const head = el("thead", {}, row([title.split(" por ")[1], "Propôs", "Assinou"], "th"));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, el("table", {}, head, el("tbody", {}, ...items.map((item) => row([item.name, item.proposed, item.signed], "td")))));
}

const short = (name) => (name.length > 30 ? `${name.slice(0, 29)}…` : name);

function part(tag, attributes, text) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text) node.textContent = text;
  return node;
}
