// The rules that are played by: the book, its rounds, what may be set otherwise. What is being written stays until it is saved or left.

import { ask, form, toast } from "./actions.js";
import { drawNow, redraw } from "./draw.js";
import { known, loadSetup, noting, refusal, whenAnother, whenLoaded } from "./office.js";
import { keeps } from "./kept_typed.js";
import { state } from "./live.js";
import { overtakenHtml, saveWhole, typedIn, whole } from "./overtaken.js";
import { bookTitle, html, sectionText } from "./text.js";
import { current, list, s, say } from "./words.js";
import { repeat } from "./lit/directives/repeat.js";

let book = null, dirty = false, chosen = 0, coming = false; // another book was chosen, and comes
const stored = setup => structuredClone(setup.book); // what is written here changes it
whenLoaded(setup => { if (!dirty) book = stored(setup); });
whenAnother(() => { [book, dirty] = [null, false]; });
keeps("book", { now: () => dirty ? book : null, back: typed => { [book, dirty] = [typed ?? (known() && stored(known())), typed !== null]; } });

const all = (of = book) => of.chapters.flatMap(chapter => chapter.options);
const differs = option => option.value !== option.default;
export const deviations = of => all(of).filter(option => differs(option) && option.name !== "rounds");

function optionHtml(option, open) {
  const off = open ? "" : "disabled";
  const name = `option-${option.name}`;
  const field = option.type === "yes_no" ? html`<input type="checkbox" id="${name}" name="${name}" ?checked=${option.value} ?disabled=${!open}>`
    : option.values ? html`<select id="${name}" name="${name}" ?disabled=${!open}>${option.values.map(([value, told]) => html`<option value="${String(value)}" ?selected=${value === option.value}>${told}</option>`)}</select>`
    : html`<input type="number" inputmode="numeric" id="${name}" name="${name}" value="${String(option.value)}" min="${option.range[0]}" max="${option.range[1]}" step="${option.range[2]}" title="${option.allowed}" ?disabled=${!open}>`;
  return html`<li class="${differs(option) ? "differs" : ""}" data-option="${option.name}"><label for="${name}">${option.told} <small>${sectionText(option.section)}</small></label>
    <span class="field">${field}<small>${s("by_book", { told: option.default_told })}</small></span></li>`;
}

function fieldsHtml(setup, book, may) {
  const open = may && !coming, rounds = all(book).find(option => option.name === "rounds"), n = deviations(book).length;
  return html`<label class="grow">${s("book")}<select name="rules" data-do="book" ?disabled=${!may}>
        ${setup.books.map(one => html`<option value="${one.name}" ?selected=${one.name === book.name}>${bookTitle(one)}</option>`)}</select></label>
      <label>${s("rounds")}<input name="rounds" type="number" inputmode="numeric" min="1" max="99" value="${String(rounds.value || setup.rounds)}" ?disabled=${!open}></label>
      <label>${s("day")}<input name="day" type="date" value="${setup.day}" ?disabled=${!open}></label>
      <label>${s("start")}<input name="start" type="time" value="${setup.start}" ?disabled=${!open}></label>
      ${setup.minutes ? html`<p class="note wide">${s("minutes_over", { minutes: setup.minutes })}</p>` : ""}
      <details class="options wide" ?open=${book.open}><summary>${s("options")} – <b class="${n ? "warn" : "quiet"}">${n ? s("changed", { n }) : s("as_book")}</b></summary>
        ${book.chapters.map(chapter => html`<h3>${chapter.name}</h3><ul>${repeat(chapter.options.filter(option => option.name !== "rounds"), option => `${book.name} ${option.name}`, option => optionHtml(option, open))}</ul>`)}</details>`;
}

// The book as it stands in the form.
export const chosenBook = () => book;

export function bookHtml() {
  const setup = known();
  if (!book || !setup) return "";
  const open = state.me.director;
  return html`<section class="panel" id="set-book"><h2 class="unseen">${s("rules")}</h2>
    ${setup.chosen ? "" : html`<p class="note">${s("not_chosen")}</p>`}
    <form id="book-form" data-whole="setup" class="fields">${fieldsHtml(setup, book, open)}
      ${open ? html`<p class="row wide"><button type="button" data-do="saveBook" class="main" ?disabled=${coming}>${s("save")}</button>
        ${deviations(book).length ? html`<button type="button" data-do="bookReset" ?disabled=${coming}>${s("reset")}</button>` : ""}
        <button type="button" data-do="beginOwn">${say("page_book", "begin")}</button>
        <button type="button" data-do="beginAnother">${s("begin")}</button>
        <span class="warn" id="book-dirty" ?hidden=${!dirty}>${s("unsaved")}</span></p>${overtakenHtml("setup")}` : ""}</form></section>`;
}

function readOptions() {
  const data = new FormData(document.getElementById("book-form"));
  book.open = document.querySelector("#book-form details").open;
  for (const option of all()) {
    const field = option.name === "rounds" ? data.get("rounds") : data.get(`option-${option.name}`);
    if (option.name === "rounds") option.value = Number(field) === known().rounds && !option.value ? option.default : Number(field) || option.default;
    else if (option.type === "yes_no") option.value = field !== null;
    else if (option.values) option.value = option.values.find(([value]) => String(value) === field)?.[0] ?? option.default;
    else option.value = field === "" ? option.default : Number(field);
  }
  return data;
}

async function saveBook(over) {
  const wrong = document.querySelector("#book-form input:invalid");
  if (wrong) {
    document.querySelector("#book-form details").open = true;
    wrong.reportValidity();
    return;
  }
  const data = readOptions();
  const options = Object.fromEntries(all().filter(differs).map(option => [option.name, option.value]));
  const body = { note: "setup", rules: book.name, options, day: data.get("day") ?? "", start: data.get("start") ?? "" };
  if (await saveWhole("setup", body, s("saved"), over)) dirty = false;
  redraw();
}
whole("setup", {
  form: "book-form", saved: () => known().saved.setup, last: () => known().last, fields: () => fieldsHtml(known(), known().book, true), send: noting, load: () => loadSetup(true),
  dirty: () => dirty, kept: ["day", "start"], save: saveBook, take: () => { [book, dirty] = [stored(known()), false]; show(); },
});

// Until it has come nothing else can be typed: it would be lost with the fields of the book before.
async function chooseBook(name) {
  const mine = ++chosen;
  coming = true;
  drawNow();
  try {
    const answer = await fetch(`/api/book/${name}?language=${current()}`), come = await answer.json();
    if (mine !== chosen) return;
    if (answer.ok) [book, dirty] = [{ ...come, open: true }, true];
  } catch { /* the page says already that the service is away */ }
  if (mine !== chosen) return;
  coming = false;
  show();
}

// Fields that were typed in show again what stands in `book`.
function show() {
  drawNow();
  document.getElementById("book-form")?.reset();
}

async function beginAnother() {
  const held = state.me.tournament, left = [...state.cards.values()].filter(card => card.events && !card.closed).map(card => card.table);
  const data = await form(html`<h2>${s("begin")}</h2><p>${s("begin_why", { name: state.me.tournament })}</p>
    ${left.length ? html`<p class="warn">${s("begin_left", { tables: list(left) })}</p>` : ""}
    <label>${s("begin_name")}<input name="name" maxlength="40" list="held" autocomplete="off" required></label>
    <datalist id="held">${Object.keys(state.me.tournaments).filter(name => name !== state.me.tournament).map(name => html`<option value="${name}"></option>`)}</datalist>
    <label class="check"><input type="checkbox" name="people" checked> ${s("begin_people")}</label>`, s("begin_yes"));
  if (!data) return;
  try {
    const said = await ask("POST", "/api/begin", { name: data.get("name"), people: Boolean(data.get("people")), instead_of: held });
    toast(s("begun_another", { name: said.tournament }));
  } catch (error) {
    toast(refusal(error), true);
  }
}


export const bookButtons = {
  beginAnother, saveBook: () => saveBook(),
  bookReset: element => { typedIn(element); for (const option of all()) option.value = option.default; dirty = true; show(); },
};

export function bookChange(event) {
  if (event.target.dataset.do === "book") return event.type === "change" ? chooseBook(event.target.value) : null;
  if (!event.target.closest("#book-form")) return;
  dirty = true;
  readOptions();
  redraw();
}
