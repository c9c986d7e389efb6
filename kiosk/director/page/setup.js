// The tournament set up: book and options, people, seats. What is being written stays until it is saved or left.

import { ask, form, toast } from "./actions.js";
import { loadMe, state, watch } from "./live.js";
import { html, put, sectionText, timeText } from "./text.js";
import { current, failure, has, joined, list, s, say, t } from "./words.js";

let setup = null, shownFor = "", book = null, dirty = false, picked = [], round = 0, asked = 0, fives = null, avoid = false, changed = () => {};
export const onSetup = call => { changed = call; };
export const known = () => setup;

// Loads it if something was noted since, or in another language.
export async function loadSetup() {
  const wanted = `${state.noted} ${current()} ${state.me.director}`;
  if (wanted === shownFor) return;
  shownFor = wanted;
  const mine = ++asked;  // an answer that a later one has overtaken is old
  try {
    if (state.noted && !state.noted.endsWith(` ${state.me.tournament}`)) await nextTournament();
    const answer = await fetch(`${base()}/setup?language=${current()}`, { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.status);
    const loaded = await answer.json();
    if (mine !== asked) return;
    const other = setup && setup.rounds !== loaded.rounds;
    setup = loaded;
    if (!dirty) book = setup.book;
    if (other) await loadMe();
    changed();
  } catch {
    if (mine === asked) shownFor = "";
  }
}

// Another tournament is held from now on: whoever looked at the one before goes along.
async function nextTournament() {
  const before = state.me.tournament;
  await loadMe();
  if (before === state.me.tournament) return;
  [book, dirty, picked, round, fives, avoid] = [null, false, [], 0, null, false];
  if (state.tournament === before) watch(state.me.tournament, state.me.now, null);
}

const base = () => `/api/${encodeURIComponent(state.me.tournament)}`;

async function send(path, body, done) {
  try {
    const said = await ask("POST", `${base()}/${path}`, body);
    if (done) toast(typeof done === "function" ? done(said) : done);
    return said;
  } catch (error) {
    toast(refusal(error), true);
    return null;
  }
}

// What the service refused, in the page's language where it has the words.
function refusal({ code, values = {}, message }) {
  if (code === "no_seating") return impossibleText(values.people, values.substitutes, { missing: values.missing, surplus: values.surplus, fives_would_do: values.fives });
  if (!has("page_errors", code)) return failure({ code, values, message });
  return say("page_errors", code, { ...values, told: values[current()] ?? values.de });
}
const note = (body, done) => send("notes", body, done);

// what is drawn

export function setupHtml() {
  return html`<section class="setup"><div id="set-book" class="panel"></div><div class="pair"><div id="set-people" class="panel"></div>
    <div id="set-draw" class="panel"></div></div></section>`;
}

export function fillSetup() {
  const part = name => document.getElementById(`set-${name}`);
  if (!part("book") || !setup || !book) return;
  round ||= nextRound();
  put(part("book"), bookHtml());
  if (!part("people").querySelector("#add-form")) put(part("people"), peopleFrameHtml());
  const adding = document.getElementById("add-form");
  adding.hidden = !state.me.director;
  put(document.getElementById("people-list"), peopleHtml());
  put(part("draw"), drawHtml());
}

// The first round that the tables do not have yet.
const nextRound = () => {
  for (let number = 1; number <= setup.rounds; number++) if (!setup.plans[number]?.published) return number;
  return setup.rounds;
};

const all = () => book.chapters.flatMap(chapter => chapter.options);
const differs = option => option.value !== option.default;
const deviations = () => all().filter(option => differs(option) && option.name !== "rounds");

function optionHtml(option, open) {
  const off = open ? "" : "disabled";
  const name = `option-${option.name}`;
  const field = option.type === "yes_no" ? html`<input type="checkbox" id="${name}" name="${name}" ${option.value ? "checked" : ""} ${off}>`
    : option.values ? html`<select id="${name}" name="${name}" ${off}>${option.values.map(([value, told]) => html`<option value="${String(value)}" ${value === option.value ? "selected" : ""}>${told}</option>`)}</select>`
    : html`<input type="number" inputmode="numeric" id="${name}" name="${name}" value="${String(option.value)}" min="${option.range[0]}" max="${option.range[1]}" step="${option.range[2]}" title="${option.allowed}" ${off}>`;
  return html`<li class="${differs(option) ? "differs" : ""}" data-option="${option.name}"><label for="${name}">${option.told} <small>${sectionText(option.section)}</small></label>
    <span class="field">${field}<small>${s("by_book", { told: option.default_told })}</small></span></li>`;
}

function bookHtml() {
  const open = state.me.director, off = open ? "" : "disabled";
  const rounds = all().find(option => option.name === "rounds");
  return html`<h2>${s("rules")}</h2>
    ${setup.chosen ? "" : html`<p class="note">${s("not_chosen")}</p>`}
    <form id="book-form" class="fields"><label class="grow">${s("book")}<select name="rules" data-do="book" ${off}>
        ${setup.books.map(one => html`<option value="${one.name}" ${one.name === book.name ? "selected" : ""}>${one.title}</option>`)}</select></label>
      <label>${s("rounds")}<input name="rounds" type="number" inputmode="numeric" min="1" max="99" value="${String(rounds.value || setup.rounds)}" ${off}></label>
      <label>${s("day")}<input name="day" type="date" value="${setup.day}" ${off}></label>
      <label>${s("start")}<input name="start" type="time" value="${setup.start}" ${off}></label>
      ${setup.minutes ? html`<p class="note wide">${s("minutes_over", { minutes: setup.minutes })}</p>` : ""}
      <details class="options wide" ${book.open ? "open" : ""}><summary>${s("options")} – <b class="${deviations().length ? "warn" : "quiet"}">${deviations().length ? s("changed", { n: deviations().length }) : s("as_book")}</b></summary>
        ${book.chapters.map(chapter => html`<h3>${chapter.name}</h3><ul>${chapter.options.filter(option => option.name !== "rounds").map(option => optionHtml(option, open))}</ul>`)}</details>
      ${open ? html`<p class="row wide"><button type="button" data-do="saveBook" class="main">${s("save")}</button>
        ${deviations().length ? html`<button type="button" data-do="bookReset">${s("reset")}</button>` : ""}
        <button type="button" data-do="beginAnother">${s("begin")}</button>
        <span class="warn" id="book-dirty" ${dirty ? "" : "hidden"}>${s("unsaved")}</span></p>` : ""}</form>`;
}

function peopleFrameHtml() {
  return html`<h2>${s("people")}</h2><form id="add-form" class="fields"><label class="grow">${s("add_names")}<textarea name="names" rows="2"></textarea></label>
    <span class="stack"><label class="check"><input type="checkbox" name="substitute"> ${s("as_substitute")}</label>
    <label class="check"><input type="checkbox" name="here"> ${s("here_now")}</label>
    <button type="button" data-do="addPeople" class="main">${s("add")}</button></span></form><div id="people-list"></div>`;
}

const peopleText = (n, substitutes) => substitutes ? s("with_substitutes", { people: s("n_people", { n }), n: substitutes }) : s("n_people", { n });

function tablesText(sizes) {
  const count = size => sizes.filter(one => one === size).length;
  return joined([["n_fours", count(4)], ["n_fives", count(5)]].filter(([, n]) => n).map(([code, n]) => s(code, { n })), "and");
}

function countText(n, here, substitutes) {
  return list([s("n_people", { n }), ...here === null ? [] : [s("n_here", { n: here })], ...substitutes ? [s("n_substitutes", { n: substitutes })] : []]);
}

function impossibleText(n, substitutes, why) {
  if (!n) return s("nobody_here");
  const ways = [s("missing", { n: why.missing }), ...why.surplus ? [s("surplus", { n: why.surplus })] : [], ...why.fives_would_do ? [s("fives_way")] : []];
  return s(why.fives_would_do ? "impossible_fours" : "impossible", { people: peopleText(n, substitutes), ways: joined(ways, "or") });
}

function peopleHtml() {
  const everybody = [...setup.people].sort((a, b) => a.substitute - b.substitute || a.name.localeCompare(b.name, current()));
  const players = everybody.filter(one => !one.substitute && !one.gone);
  const used = setup.people.some(one => one.checked_in);
  if (!everybody.length) return html`<p class="quiet">${s("none")}</p>`;
  return html`<p class="note">${countText(players.length, used ? players.filter(one => one.checked_in).length : null, everybody.filter(one => one.substitute && !one.gone).length)}</p>
    <ul class="people">${everybody.map(one => html`<li class="${one.gone ? "gone" : ""}" data-person="${one.name}"><span class="who">${one.name} ${one.substitute ? html`<span class="tag">${s("substitute")}</span>` : ""}</span>
      <span class="quiet small">${one.gone ? s("gone") : one.checked_in ? s("since", { time: timeText(one.checked_in) }) : used ? s("not_here") : ""} ${one.late && !one.gone ? html`<b class="warn">${s("late", { minutes: one.late })}</b>` : ""}</span>
      ${state.me.director ? html`<span class="buttons">${!one.checked_in && !one.gone ? html`<button data-do="checkIn" data-name="${one.name}">${s("check_in")}</button>` : ""}
        <button data-do="editPerson" data-name="${one.name}" class="slim">${s("more")}</button></span>` : ""}</li>`)}</ul>`;
}

function possibleHtml() {
  const seating = setup.book.seating, n = setup.present.length, subs = setup.substitutes_present.length;
  const possible = setup.possible[(fives ?? setup.fives_wanted) ? "fives" : "fours"];
  const absent = setup.people.filter(one => !one.substitute && !one.gone && !setup.present.includes(one.name)).map(one => one.name);
  return html`<p class="${possible.sizes ? "" : "warn"}" id="possible">${possible.sizes ? s("possible", { people: peopleText(n, possible.filling), tables: tablesText(possible.sizes) }) : impossibleText(n, subs, possible)}</p>
    ${absent.length ? html`<p class="quiet">${s("absent", { names: list(absent) })}</p>` : ""}
    ${round > 1 && seating.lot_alone ? html`<p class="quiet">${s("lot_alone", { section: sectionText(seating.lot_alone) })}</p>` : ""}`;
}

function drawHtml() {
  const seating = setup.book.seating, plan = setup.plans[round], open = state.me.director;
  const tabs = Array.from({ length: setup.rounds }, (_, i) => i + 1);
  const substitutes = new Set(setup.people.filter(one => one.substitute).map(one => one.name));
  const begun = new Set([...state.cards.values()].filter(card => state.round === round && card.events).map(card => card.table));
  const seat = (name, number, fixed) => html`<li><span class="seat">${number}</span>
    ${open && !fixed ? html`<button data-do="pick" data-name="${name}" class="name ${picked.includes(name) ? "picked" : ""}">${name}</button>` : html`<span class="name">${name}</span>`}
    ${substitutes.has(name) ? html`<span class="tag">${s("substitute_mark")}</span>` : ""}</li>`;
  const places = plan ? Object.entries(plan.seats).flatMap(([table, names]) => names.map((name, i) => [name, table, i + 1])) : [];
  const movable = plan && Object.keys(plan.seats).some(table => !begun.has(Number(table)));
  const section = round > 1 && seating.lot_alone || seating.section;
  return html`<h2>${s("draw", { round })}${section ? html` <small>${s("by_section", { section: sectionText(section) })}</small>` : ""}</h2>
    <nav class="tabs">${tabs.map(one => html`<button data-do="drawRound" data-round="${one}" class="${one === round ? "here" : ""}">${t("round")} ${one}${setup.plans[one]?.published ? " ✓" : ""}</button>`)}</nav>
    ${plan?.published ? "" : possibleHtml()}
    ${open && !plan?.published ? html`<form id="draw-form" class="fields"><label>${s("seed")}<input name="seed" maxlength="40" autocomplete="off"></label>
      <span class="stack">${setup.book.tables.includes(5) ? html`<label class="check"><input type="checkbox" name="fives" ${fives ?? setup.fives_wanted ? "checked" : ""}> ${seating.fives_section ? s("fives_section", { section: sectionText(seating.fives_section) }) : s("fives")}</label>` : ""}
      ${round > 1 && !seating.lot_alone ? html`<label class="check"><input type="checkbox" name="avoid" ${avoid ? "checked" : ""}> ${s("avoid")}</label>` : ""}
      <button type="button" data-do="drawSeats" class="${plan ? "" : "main"}">${plan ? s("draw_again") : s("draw_it")}</button></span></form>` : ""}
    ${!plan ? "" : html`<div class="plan" id="plan"><h2 class="print">${setup.name} – ${s("draw", { round })}</h2>
      <p class="quiet">${plan.seed ? s("drawn", { seed: plan.seed }) : ""}${plan.mended ? ` · ${s("mended")}` : ""}
        ${round > 1 ? html`<br>${plan.met_again.length ? s("met", { n: plan.met_again.length }) : s("met_none")}` : ""}</p>
      ${plan.unseated.length ? html`<p class="warn">${s("unseated", { names: list(plan.unseated) })}</p>` : ""}
      ${plan.missing.length && !begun.size ? html`<p class="warn">${s("seated_missing", { names: list(plan.missing) })}</p>` : ""}
      <div class="tables">${Object.entries(plan.seats).map(([table, names]) => html`<div class="seated" data-seated="${table}"><h3>${s("table", { table })}${begun.has(Number(table)) ? html` <small>${s("begun")}</small>` : ""}</h3>
        ${names.length > setup.mats[table] && !begun.has(Number(table)) ? html`<p class="warn">${s("small_mat", { people: names.length, seats: setup.mats[table] })}</p>` : ""}
        <ol>${names.map((name, i) => seat(name, i + 1, begun.has(Number(table))))}</ol></div>`)}
        ${plan.unseated.length && open ? html`<div class="seated"><h3>–</h3><ol>${plan.unseated.map(name => seat(name, "", false))}</ol></div>` : ""}</div>
      ${open && movable ? html`<p class="row">${picked.length === 2 ? html`<button data-do="swapSeats" class="main">${s("swap", { one: picked[0], other: picked[1] })}</button>` : html`<span class="quiet">${s("swap_hint")}</span>`}
        ${picked.length ? html`<button data-do="unpick">${s("unpick")}</button>` : ""}</p>` : ""}
      <p class="${plan.published ? "quiet" : "warn"}">${plan.published ? s("published") : s("not_published")}</p>
      <p class="row">${!open ? "" : plan.published ? begun.size ? "" : html`<button data-do="withdrawPlan">${s("withdraw")}</button>` : html`<button data-do="publishPlan" class="main">${s("publish")}</button>`}
        <button data-do="printPlan">${s("print")}</button></p>
      <div class="by-name"><h3>${s("by_name")}</h3><ul>${places.sort((a, b) => a[0].localeCompare(b[0], current())).map(([name, table, number]) => html`<li><b>${name}</b> <span>${s("place", { table, seat: number })}</span></li>`)}</ul></div></div>`}`;
}

// what the buttons do

function readOptions() {
  const data = new FormData(document.getElementById("book-form"));
  book.open = document.querySelector("#book-form details").open;
  for (const option of all()) {
    const field = option.name === "rounds" ? data.get("rounds") : data.get(`option-${option.name}`);
    if (option.name === "rounds") option.value = Number(field) === setup.rounds && !option.value ? option.default : Number(field) || option.default;
    else if (option.type === "yes_no") option.value = field !== null;
    else if (option.values) option.value = option.values.find(([value]) => String(value) === field)?.[0] ?? option.default;
    else option.value = field === "" ? option.default : Number(field);
  }
  return data;
}

async function saveBook() {
  const wrong = document.querySelector("#book-form input:invalid");
  if (wrong) {
    document.querySelector("#book-form details").open = true;
    wrong.reportValidity();
    return;
  }
  const data = readOptions();
  const options = Object.fromEntries(all().filter(differs).map(option => [option.name, option.value]));
  const body = { note: "setup", rules: book.name, options, day: data.get("day") ?? "", start: data.get("start") ?? "" };
  dirty = false;
  if (await note(body, s("saved")) === null) dirty = true;
  redraw();
}

async function chooseBook(name) {
  fives = null;
  try {
    book = await (await fetch(`/api/book/${name}?language=${current()}`)).json();
    book.open = true;
    dirty = true;
    redraw();
  } catch { /* the page says already that the service is away */ }
}

function redraw() {
  const form = document.getElementById("book-form");
  if (form) form.parentElement.shown = null;
  changed();
}

async function addPeople() {
  const adding = document.getElementById("add-form");
  const written = adding.elements.names.value;
  const names = written.split(/[\n;]+/).map(name => name.trim()).filter(Boolean);
  const body = { note: "enter", names, substitute: adding.elements.substitute.checked, here: adding.elements.here.checked };
  if (await note(body) && adding.elements.names.value === written) {  // else the next ones are being written already
    adding.reset();
    adding.elements.names.focus();
  }
}

async function beginAnother() {
  const left = [...state.cards.values()].filter(card => card.events && !card.closed).map(card => card.table);
  const data = await form(html`<h2>${s("begin")}</h2><p>${s("begin_why", { name: state.me.tournament })}</p>
    ${left.length ? html`<p class="warn">${s("begin_left", { tables: list(left) })}</p>` : ""}
    <label>${s("begin_name")}<input name="name" maxlength="40" list="held" autocomplete="off" required></label>
    <datalist id="held">${Object.keys(state.me.tournaments).filter(name => name !== state.me.tournament).map(name => html`<option value="${name}"></option>`)}</datalist>
    <label class="check"><input type="checkbox" name="people" checked> ${s("begin_people")}</label>`, s("begin_yes"));
  if (!data) return;
  try {
    const said = await ask("POST", "/api/begin", { name: data.get("name"), people: Boolean(data.get("people")) });
    toast(s("begun_another", { name: said.tournament }));
  } catch (error) {
    toast(refusal(error), true);
  }
}

const clock = ms => ms ? new Date(ms).toTimeString().slice(0, 5) : "";

async function editPerson(element) {
  const one = setup.people.find(person => person.name === element.dataset.name);
  const data = await form(html`<h2>${s("edit", { name: one.name })}</h2><label>${s("new_name")}<input name="name" value="${one.name}" maxlength="40" autocomplete="off"></label>
    <label>${s("came_at")}<input name="came" type="time" value="${clock(one.checked_in)}"></label>
    <label class="check"><input type="checkbox" name="substitute" ${one.substitute ? "checked" : ""}> ${s("is_substitute")}</label>
    <label class="check"><input type="checkbox" name="gone" ${one.gone ? "checked" : ""}> ${s("is_gone")}</label>`, s("save"));
  if (!data) return;
  const name = one.name, came = data.get("came");
  if (came !== clock(one.checked_in)) {
    const [hours, minutes] = came.split(":").map(Number);
    const at = one.checked_in ? new Date(one.checked_in) : new Date();
    await note(came ? { note: "check_in", name, came: at.setHours(hours, minutes, 0, 0) } : { note: "check_out", name });
  }
  if (Boolean(data.get("substitute")) !== one.substitute) await note({ note: "mark", name, substitute: Boolean(data.get("substitute")) });
  if (Boolean(data.get("gone")) !== Boolean(one.gone)) await note({ note: data.get("gone") ? "gone" : "back", name });
  const to = data.get("name").trim();
  if (to !== name) await note({ note: "rename", name, to });
}

function drawSeats() {
  const data = document.getElementById("draw-form").elements;
  picked = [];
  return note({ note: "draw", round, seed: data.seed.value, fives: data.fives?.checked ?? false, avoid: data.avoid?.checked ?? false });
}

function pick(element) {
  const name = element.dataset.name;
  picked = picked.includes(name) ? picked.filter(one => one !== name) : [...picked.slice(-1), name];
  changed();
}

async function swapSeats() {
  const [one, other] = picked;
  picked = [];
  await note({ note: "swap", round, one, other });
}

export async function replacePlayer(card) {
  const playing = new Set([...state.cards.values()].flatMap(one => one.closed ? [] : one.players));
  const section = setup?.book.seating.substitutes_section;
  const free = (setup?.people ?? []).filter(one => one.substitute && !playing.has(one.name));
  const data = await form(html`<h2>${s("replace_for", { table: card.table })}</h2>
    <label>${s("who_left")}<select name="seat">${card.players.map((name, i) => html`<option value="${i + 1}">${name}</option>`)}</select></label>
    <label>${s("who_came")}<input name="came" list="free" maxlength="40" autocomplete="off" required></label><datalist id="free">${free.map(one => html`<option value="${one.name}"></option>`)}</datalist>
    <p class="quiet">${section ? s("replace_why_by", { section: sectionText(section) }) : s("replace_why")}</p>`, s("replace"));
  if (!data) return;
  const seat = Number(data.get("seat")), came = data.get("came").trim();
  await send(`${state.round}/${card.table}/substitute`, { seat, came }, s("replaced", { left: card.players[seat - 1], came }));
}

export async function court(card) {
  const others = [...state.cards.values()].filter(one => one.table !== card.table && !one.closed).sort((a, b) => a.table - b.table);
  const data = await form(html`<h2>${s("court_for", { table: card.table })}</h2><p>${s("court_why", { section: sectionText(setup.book.seating.court_section) })}</p>
    ${others.length ? html`<fieldset><legend>${s("court_tables")}</legend><div class="choice">${others.map(one => html`<label><input type="checkbox" name="tables" value="${one.table}"><span>${one.table}</span></label>`)}</div></fieldset>` : ""}`, s("court_begin"));
  if (data) await note({ note: "court", round: state.round, table: card.table, tables: data.getAll("tables").map(Number) });
}

export const courtEnds = card => note({ note: "court_ends", round: state.round, table: card.table }, said => s("court_given", {
  n: said.tables.length, extra: say("page_events", "extra", { n: said.minutes }), tables: list([...said.tables].sort((a, b) => a - b)),
}));
export const courtOf = table => setup?.courts.find(one => one.round === state.round && one.table === table);

export const setupButtons = {
  beginAnother, saveBook, addPeople, editPerson, drawSeats, pick, swapSeats,
  bookReset: () => { for (const option of all()) option.value = option.default; dirty = true; redraw(); },
  checkIn: element => note({ note: "check_in", name: element.dataset.name }),
  drawRound: element => { round = Number(element.dataset.round); picked = []; changed(); },
  unpick: () => { picked = []; changed(); },
  publishPlan: () => note({ note: "publish", round }),
  withdrawPlan: () => note({ note: "withdraw", round }),
  printPlan: () => print(),
};

export function setupChange(event) {
  if (event.target.dataset.do === "book") return chooseBook(event.target.value);
  if (event.target.closest("#draw-form") && event.target.type === "checkbox") {
    if (event.target.name === "fives") fives = event.target.checked;
    else avoid = event.target.checked;
    return changed();
  }
  if (!event.target.closest("#book-form")) return;
  dirty = true;
  readOptions();
  const item = event.target.closest("[data-option]");
  if (item) item.classList.toggle("differs", differs(all().find(option => option.name === item.dataset.option)));
  document.getElementById("book-dirty").hidden = false;
}
