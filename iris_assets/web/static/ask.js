// The question form and its thread: earlier answers stay in sight, each with its address; one question at a time.
import { $, el, notice, problem } from "./dom.js";
import { ask, get } from "./api.js";
import { candidateBox } from "./combobox.js";
import { coverage, filterBox, fromAddress, named, toRequest } from "./filters.js";
import { continues, renderAnswer } from "./answer.js";
import { title } from "./router.js";

const STEPS = {
  plan: "Entendendo a pergunta…", retrieval: "Procurando nos documentos…", generation: "Escrevendo a partir do que foi encontrado…",
  verification: "Conferindo cada frase na fonte…",
};
const DEADLINE_SECONDS = 90;
const LATE = "A resposta demorou mais de um minuto e meio e foi interrompida. Tente de novo ou faça uma pergunta mais curta.";
const TURNS = 4;
const KEPT = 30; // answers of a thread that are shown again after a reload
const seen = new Map(); // answers of this visit by id
const state = { thread: [], candidate: null, box: null, filters: null, running: null };

export function setUpAsk() {
  state.box = candidateBox($("ask-candidate"), {
    label: "Candidatura (vazio: todas)", placeholder: "Nome, partido ou número", onChoose: (item) => { state.candidate = item; },
  });
  state.filters = filterBox($("ask-filters"), "af");
  $("ask-form").addEventListener("submit", (event) => { event.preventDefault(); submit(); });
  $("question").addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(); });
  $("ask-cancel").addEventListener("click", () => state.running?.abort("cancel"));
  $("ask-clear").addEventListener("click", startAnew);
}

// Questions that what is stored can answer; none names a candidate or a party.
async function showExamples() {
  const { elections, bills_by_year: years, topics } = await coverage();
  const [newest, theme, year] = [elections[0], topics[0], Object.keys(years).at(-1)];
  const office = newest && Object.keys(newest.offices)[0];
  const texts = [
    newest?.plans.with_text && `O que os planos de governo de ${newest.year} dizem sobre ${(theme || "educação").toLowerCase()}?`,
    year && `Quantas proposições de ${year} há?`,
    office && `Quantas candidaturas a ${office.toLowerCase()} há em ${newest.year}?`,
  ].filter(Boolean);
  if (state.thread.length) return;
  const ask = (text) => askNow({ question: text, candidate: null, filters: {} });
  $("examples").replaceChildren(...texts.map((text) => el("button", { type: "button", class: "small", onclick: () => { if (!state.running) ask(text); } }, text)));
}

// What the address names: an answer, the thread kept with it, or a question to ask now.
export async function showThread(match, parameters, kept) {
  state.running?.abort("left");
  const ids = kept?.thread || (match[1] ? [match[1]] : []);
  const asked = { question: parameters.get("q") || "", candidate: parameters.get("c"), filters: fromAddress(parameters) };
  if (!ids.length && !asked.question) { clear(); showExamples().catch(() => {}); if (asked.candidate) await choose(asked.candidate); return; }
  const here = location.href;
  try {
    const answers = await Promise.all(ids.map(stored));
    if (location.href !== here) return;
    clear();
    for (const answer of answers) add(answer, { question: answer.question, candidate: null, filters: {} });
    if (!kept?.answered && asked.question) await run(asked); else title(answers.at(-1)?.question);
  } catch (error) { clear(); $("answer").replaceChildren(problem(error)); }
}

async function choose(id) {
  try { state.box.choose(await get(`candidates/${encodeURIComponent(id)}`)); } catch (error) { $("ask-status").replaceChildren(problem(error)); }
}

async function stored(id) {
  if (!seen.has(id)) seen.set(id, await get(`answers/${encodeURIComponent(id)}`));
  return seen.get(id);
}

function clear() {
  state.thread = [];
  $("answer").replaceChildren();
  $("ask-status").textContent = "";
  $("question").value = "";
  $("ask-clear").hidden = true;
}

function startAnew() {
  state.running?.abort("left");
  clear();
  state.box.choose(null);
  state.filters.put({});
  history.pushState(null, "", "/");
  title("");
  $("question").focus();
}

async function submit() {
  const question = $("question").value.trim();
  if (!question) { $("question").focus(); return; }
  if (state.running) return;
  await askNow({ question, candidate: state.candidate?.tse_id ?? null, filters: state.filters.values() });
}

async function askNow(asked) {
  const query = new URLSearchParams({ q: asked.question, ...(asked.candidate && { c: asked.candidate }), ...asked.filters });
  history.pushState({ thread: ids() }, "", `/?${query}`);
  await run(asked);
}

const ids = () => state.thread.map((turn) => turn.answer.answer_id).filter(Boolean).slice(-KEPT);

function historyOf(asked) {
  const turns = asked.alone ? [] : state.thread.slice(-TURNS);
  return turns.map(({ answer }) => ({ question: answer.question, candidate_tse_id: answer.candidate?.tse_id ?? null, answer: answer.answer.slice(0, 4000) }));
}

async function run(asked) {
  const running = new AbortController();
  const deadline = setTimeout(() => running.abort("deadline"), DEADLINE_SECONDS * 1000);
  waiting(running);
  const waitingFor = el("h2", { class: "answer-title" }, asked.question);
  $("answer").append(waitingFor);
  title(asked.question);
  try {
    const request = { question: asked.question, candidate: asked.candidate, filters: toRequest(asked.filters), history: historyOf(asked), reading: asked.reading };
    const answer = await ask(request, (step) => { $("ask-status").textContent = STEPS[step] || ""; }, running.signal);
    waitingFor.remove();
    add(answer, asked).querySelector(".answer-title").focus();
    history.replaceState({ thread: ids(), answered: Boolean(answer.answer_id) }, "", location.href);
    // Each question starts clean: whom it is about is said in it, chosen for it, or shown as a chip to be taken off.
    $("question").value = "";
    state.box.choose(null);
    state.filters.put({});
    $("ask-status").textContent = "Resposta pronta.";
  } catch (error) {
    waitingFor.remove();
    if (running.signal.reason !== "left") failed(asked, running.signal.aborted ? running.signal.reason : error);
  } finally {
    clearTimeout(deadline);
    if (state.running === running) waiting(null);
  }
}

function waiting(running) {
  state.running = running;
  $("ask-button").disabled = Boolean(running);
  $("ask-cancel").hidden = !running;
  $("answer").classList.toggle("waiting", Boolean(running));
  if (!running) { $("answer").removeAttribute("aria-busy"); return; }
  $("ask-status").textContent = "Procurando…";
  $("answer").setAttribute("aria-busy", "true");
  for (const old of $("answer").querySelectorAll(".failed")) old.remove();
}

function failed(asked, why) {
  $("question").value = asked.question;
  if (why === "cancel") { $("ask-status").textContent = "Pergunta cancelada."; $("question").focus(); return; }
  const again = el("button", { type: "button", onclick: () => run(asked) }, "Tentar de novo");
  $("answer").append(el("div", { class: "failed", role: "alert" }, why === "deadline" ? notice(LATE) : problem(why), again));
  $("ask-status").textContent = "";
  again.focus();
}

// One more answer below the others.
function add(answer, asked) {
  if (answer.answer_id) seen.set(answer.answer_id, answer);
  const before = state.thread.at(-1)?.answer;
  const told = new Set(state.thread.flatMap((turn) => turn.answer.notices));
  const turn = { answer, asked };
  state.thread.push(turn);
  $("ask-clear").hidden = false;
  $("examples").replaceChildren();
  const box = renderAnswer(answer, told);
  const chips = chipsOf(turn, before);
  if (chips.length) box.querySelector(".answer-title").after(el("ul", { class: "chips", "aria-label": "Como a pergunta foi entendida" }, ...chips));
  if (answer.choices.length) {
    box.querySelector(".text ul")?.remove(); // the same names as text
    box.querySelector(".text").append(choices(answer.choices, asked));
  }
  const others = answer.understood?.others || [];
  if (others.length) box.querySelector(".text").append(readings(others, asked));
  $("answer").append(box);
  return box;
}

function chipsOf({ answer, asked }, before) {
  const chips = [];
  const again = (change) => askNow({ ...asked, ...change });
  if (asked.candidate && answer.candidate) chips.push(chip(`só sobre ${answer.candidate.label}`, () => again({ candidate: null })));
  else if (before && continues(answer, before)) chips.push(chip(`continuando sobre ${answer.candidate.ballot_name || answer.candidate.name}`, () => again({ alone: true })));
  for (const [name, text] of named(asked.filters)) chips.push(chip(text, () => again({ filters: without(asked.filters, name) })));
  for (const text of readFrom(answer)) chips.push(chip(text, () => reword(asked.question, text)));
  return chips;
}

const without = (filters, name) => Object.fromEntries(Object.entries(filters).filter(([key]) => key !== name));

const MOST_PEOPLE = 4; // more are a list, not whom the question names
const READ = { states: "UF", parties: "partido", offices: "cargo", years: "ano" };

// What the words of the question itself were understood to be about and to restrict.
function readFrom({ understood, candidate }) {
  const { filters = {}, people = [], topic } = understood || {};
  const restricted = Object.entries(filters).flatMap(([name, values]) => (READ[name] ? values.map((value) => `${READ[name]} na pergunta: ${value}`) : []));
  const about = people.length > MOST_PEOPLE ? [] : people.filter((one) => one.tse_id !== candidate?.tse_id).map((one) => `pessoa na pergunta: ${one.label}`);
  return [...about, ...restricted, ...(topic ? [`assunto: ${topic}`] : [])];
}

// A restriction that stands in the question goes by changing the question.
function reword(question, text) {
  $("question").value = question;
  $("ask-status").textContent = `Mude a pergunta para tirar “${text}” e pergunte de novo.`;
  $("question").focus();
}

function chip(text, remove) {
  return el("li", {}, text, el("button", { type: "button", "aria-label": `Tirar: ${text}`, onclick: remove }, "×"));
}

// What else the question may ask for, each a button that asks it so.
function readings(others, asked) {
  const buttons = others.map(({ intent, label }) => el("button", { type: "button", onclick: () => askNow({ ...asked, reading: intent }) }, label));
  return el("div", { class: "actions", role: "group", "aria-label": "Outras leituras da pergunta" }, el("span", {}, "Quis dizer outra coisa?"), ...buttons);
}

// A choice answers this one question; the next question is asked of everybody again.
function choices(items, asked) {
  return el("div", { class: "actions" }, ...items.map((item) => el("button", { type: "button", onclick: () => askNow({ ...asked, candidate: item.tse_id }) }, item.label)));
}
