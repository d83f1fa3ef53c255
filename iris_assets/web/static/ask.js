// The question form and the conversation that it keeps.
import { $, el, notice } from "./dom.js";
import { ask, get } from "./api.js";
import { candidateBox } from "./combobox.js";
import { renderAnswer } from "./answer.js";

const STEPS = {
  plan: "Entendendo a pergunta…", retrieval: "Procurando nos registros…", generation: "Redigindo a partir das evidências…",
  verification: "Conferindo cada citação…", done: "Pronto.",
};
const state = { candidate: null, history: [], box: null };

export function setUpAsk() {
  state.box = candidateBox($("ask-candidate"), {
    label: "Candidatura (vazio: todas)", placeholder: "Digite parte do nome", onChoose: (item) => { state.candidate = item; },
  });
  $("ask-form").addEventListener("submit", (event) => { event.preventDefault(); submit(); });
  $("question").addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(); });
  $("ask-clear").addEventListener("click", () => { state.history = []; $("answer").replaceChildren(); $("ask-clear").hidden = true; $("question").focus(); });
}

export async function showStored(id) {
  try {
    $("answer").replaceChildren(renderAnswer(await get(`answers/${encodeURIComponent(id)}`)));
  } catch (error) { $("ask-status").textContent = error.message; }
}

async function submit() {
  const question = $("question").value.trim();
  if (!question) { $("question").focus(); return; }
  $("ask-button").disabled = true;
  $("answer").setAttribute("aria-busy", "true");
  try {
    const request = { question, candidate: state.candidate?.tse_id ?? null, history: state.history.slice(-4) };
    const answer = await ask(request, (step) => { $("ask-status").textContent = STEPS[step] || ""; });
    show(answer);
  } catch (error) {
    $("ask-status").textContent = "";
    $("answer").replaceChildren(notice(error.message));
  } finally {
    $("ask-button").disabled = false;
    $("answer").removeAttribute("aria-busy");
  }
}

function show(answer) {
  state.history.push({ question: answer.question, candidate_tse_id: answer.candidate?.tse_id ?? null, answer: answer.answer.slice(0, 4000) });
  $("ask-clear").hidden = false;
  const box = renderAnswer(answer);
  if (answer.choices.length) box.querySelector(".text").append(choices(answer.choices));
  $("answer").replaceChildren(box);
  $("ask-status").textContent = "Pronto.";
  box.querySelector(".answer-title").focus();
}

function choices(items) {
  const pick = (item) => { state.box.choose(item); submit(); };
  return el("div", { class: "actions" }, ...items.map((item) => el("button", { type: "button", onclick: () => pick(item) }, item.label)));
}
