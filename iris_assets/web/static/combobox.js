// Choosing a candidate by typing part of a name: the ARIA combobox pattern with a list box.
import { el } from "./dom.js";
import { get } from "./api.js";

let count = 0;

const labelOf = (item) => `${item.label} · eleição de ${item.year}${item.round_result ? ` · ${item.round_result.toLowerCase()}` : ""}`;

export function candidateBox(container, { label, placeholder, onChoose, keep = true }) {
  const id = `combo-${count++}`;
  const input = el("input", {
    id, type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", placeholder,
    "aria-expanded": "false", "aria-controls": `${id}-list`, "aria-autocomplete": "list",
  });
  const list = el("ul", { id: `${id}-list`, class: "list", role: "listbox", "aria-label": label, hidden: true });
  const help = el("p", { class: "help", id: `${id}-help`, role: "status" });
  container.append(el("label", { for: id }, label), input, list, help);
  const state = { items: [], active: -1, chosen: null, timer: 0, turn: 0 };

  function close() { list.hidden = true; state.active = -1; input.setAttribute("aria-expanded", "false"); input.removeAttribute("aria-activedescendant"); }

  function choose(item) {
    state.chosen = item;
    input.value = keep && item ? item.label : "";
    help.textContent = "";
    close();
    onChoose(item);
  }

  function mark(index) {
    state.active = index;
    [...list.children].forEach((option, i) => option.setAttribute("aria-selected", String(i === index)));
    const option = list.children[index];
    if (option) { input.setAttribute("aria-activedescendant", option.id); option.scrollIntoView({ block: "nearest" }); }
  }

  async function search() {
    const turn = ++state.turn;
    const found = await get("candidates", { name: input.value.trim(), page_size: 20 });
    if (turn !== state.turn) return;
    state.items = found.items;
    list.replaceChildren(...found.items.map((item, i) => {
      const option = el("li", { role: "option", id: `${id}-o${i}`, "aria-selected": "false" }, labelOf(item));
      option.addEventListener("mousedown", (event) => { event.preventDefault(); choose(item); });
      return option;
    }));
    help.textContent = found.total > found.items.length ? `${found.total} candidaturas; digite mais para reduzir a lista.` : found.total ? "" : "Nenhuma candidatura encontrada. Tente outra parte do nome, o partido ou o número.";
    list.hidden = !found.items.length;
    state.active = -1;
    input.setAttribute("aria-expanded", String(!list.hidden));
  }

  // Enter takes what is marked, else the first of what the typed words find.
  async function takeFirst() {
    clearTimeout(state.timer);
    const marked = state.active >= 0 ? state.items[state.active] : null;
    if (!marked) await search().catch((error) => { help.textContent = error.message; });
    const item = marked || state.items[0];
    if (item) choose(item);
  }

  const later = () => { clearTimeout(state.timer); state.timer = setTimeout(() => search().catch((error) => { help.textContent = error.message; }), 180); };
  input.addEventListener("input", () => { if (state.chosen) { state.chosen = null; onChoose(null); } later(); });
  input.addEventListener("focus", () => { if (!state.chosen) later(); });
  input.addEventListener("blur", () => setTimeout(close, 120));
  input.addEventListener("keydown", (event) => {
    const last = state.items.length - 1;
    if (event.key === "ArrowDown") { event.preventDefault(); if (list.hidden) later(); else mark(Math.min(state.active + 1, last)); }
    else if (event.key === "ArrowUp") { event.preventDefault(); mark(Math.max(state.active - 1, 0)); }
    else if (event.key === "Enter" && !state.chosen && input.value.trim()) { event.preventDefault(); takeFirst(); }
    else if (event.key === "Escape") close();
  });
  // Shows a candidate that was chosen elsewhere.
  function put(item) { state.chosen = item; input.value = item ? item.label : ""; help.textContent = ""; close(); }

  return { choose, input, put };
}
