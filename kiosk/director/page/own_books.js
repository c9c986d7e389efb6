// The clubs' own books: begun from the one that is chosen, opened, edited, saved, played by, given to the tables, taken out.

import { ask, form, sendForm, toast } from "./actions.js";
import { chosenBook, deviations } from "./book.js";
import { redraw } from "./draw.js";
import { state } from "./live.js";
import { loader } from "./loaded.js";
import { known, loadSetup, noting, refusal } from "./office.js";
import { fasterText } from "./overtaken.js";
import { close, described, dirty, drafted, inLanguage, open, put, sent, stored } from "./own_draft.js";
import { isAbout, p, told, viewHtml } from "./own_fields.js";
import { stopTrial, trialHtml, tryBook } from "./own_trial.js";
import { html, timeText } from "./text.js";
import { current, list, s, say } from "./words.js";

const NAME = "[a-z][a-z0-9\\-]{1,23}", FILES = ["html", "pdf", "toml"];
const books = loader(() => state.me.director ? "/api/books" : "");
export const refreshOwn = () => { books.refresh(); inLanguage(); };
const all = () => books.held.data?.books ?? [];
const named = name => all().find(one => one.name === name);

let view = "name", faster = null, saving = false;

async function act(work, done) {
  try {
    const said = await work();
    if (done) toast(done);
    return said ?? true;
  } catch (error) {
    toast(refusal(error), true);
    return null;
  } finally {
    books.refresh(true);
  }
}

const isTaken = name => named(name)?.gone === false;

// begun

async function beginOwn() {
  const chosen = chosenBook(), own = chosen.own;
  const changed = Object.fromEntries(deviations(chosen).map(option => [option.name, option.value]));
  const data = await form(html`<h2>${p("begin")}</h2><p>${p("begin_why", { base: chosen.title })}</p>
    <label>${p("name")}<input name="name" pattern="${NAME}" maxlength="24" required autocomplete="off" autocapitalize="off" title="${p("name_why")}"></label><p class="note">${p("name_why")}</p>
    <label>${p("title")}<input name="title" maxlength="200" required autocomplete="off"></label>
    <label>${p("source")}<input name="source" maxlength="200" required autocomplete="off"></label>`, p("begin_yes"), "", typed => isTaken(typed.get("name")) ? p("name_taken") : null);
  if (!data) return;
  if (dirty() && !await sure()) return;
  const content = structuredClone(own?.content ?? { base: chosen.name });
  Object.assign(content, { title: data.get("title").trim(), source: data.get("source").trim() });
  if (Object.keys(changed).length) content.options = { ...content.options, ...changed };
  [view, faster] = ["name", null];
  open({ name: data.get("name"), content, number: named(data.get("name"))?.number ?? 0 });
  location.hash = "#/setup/own";
}

const sure = () => form(html`<h2>${p("leave")}</h2><p>${p("leave_why", { name: drafted().name })}</p>`, p("leave_yes"), "danger");

async function openState(number, seen) {
  if (dirty() && !await sure()) return;
  const said = await act(() => ask("GET", `/api/books/${number}`));
  if (!said) return;
  [view, faster] = [drafted()?.name === said.name ? view : "name", null];
  const latest = number === seen;
  open({ ...said, number: seen, was: said.name });
  if (!latest) drafted().stored = ""; // an earlier state counts once it is saved again
  redraw();
}

// saved

async function save(over) {
  const draft = drafted(), text = sent(), renamed = draft.was && draft.was !== draft.name;
  const bad = document.querySelector("#own-form input:invalid");
  if (saving || bad) {
    bad?.reportValidity();
    return;
  }
  if (draft.was !== draft.name && isTaken(draft.name)) {
    toast(p("name_taken"), true);
    return;
  }
  if (renamed && !await form(html`<h2>${p("rename")}</h2><p>${p("rename_why", { was: draft.was, name: draft.name })}</p>${usesHtml(named(draft.was))}`, p("rename"))) return;
  saving = true;
  try {
    const said = await ask("POST", "/api/books/save", { name: draft.name, content: draft.content, seen: over ?? draft.seen, ...renamed ? { instead_of: draft.was } : {} });
    stored(said.name, said.number, text);
    faster = null;
    toast(p("saved"));
    loadSetup(true);
  } catch (error) {
    if (error.code === "overtaken") {
      const theirs = await ask("GET", `/api/books/${error.values.number}`).catch(() => null);
      faster = { ...error.values, theirs };
    } else toast(refusal(error), true);
  }
  saving = false;
  books.refresh(true);
  redraw();
}

const flat = (value, key = "") => value && typeof value === "object" && !Array.isArray(value)
  ? Object.entries(value).flatMap(([name, inner]) => flat(inner, key ? `${key}.${name}` : name)) : [[key, value]];

function overtakenHtml() {
  if (!faster) return "";
  const fields = new Map((described()?.views ?? []).flatMap(one => one.fields).map(field => [field.key, field]));
  const [mine, theirs] = [drafted().content, faster.theirs?.content ?? {}].map(content => new Map(flat(content)));
  const keys = [...new Set([...mine.keys(), ...theirs.keys()])].filter(key => JSON.stringify(mine.get(key)) !== JSON.stringify(theirs.get(key)));
  const text = (key, of) => !of.has(key) ? p("as_below") : fields.has(key) ? told(fields.get(key), of.get(key)) : String(of.get(key));
  const w = (code, fill) => say("page_saved", code, fill);
  return html`<div class="overtaken" role="alert"><p class="warn">${fasterText(faster)}</p>
    <ul>${keys.map(key => html`<li><b>${fields.get(key)?.label ?? key}</b><span>${w("stored")}: <em>${text(key, theirs)}</em></span> <span>${w("typed")}: <em>${text(key, mine)}</em></span></li>`)}</ul>
    <p class="row"><button data-do="saveMyBook">${w("save_mine")}</button>${faster.theirs ? html`<button data-do="takeTheirBook">${w("keep_theirs")}</button>` : ""}</p></div>`;
}

// what goes by it

const usesHtml = book => !book ? "" : html`<ul>${book.rounds.length ? html`<li>${p("uses_rounds", { rounds: list(book.rounds) })}</li>` : ""}
  ${Object.keys(book.given).length ? html`<li>${p("uses_tables")}</li>` : ""}<li>${p("uses_lists")}</li></ul>`;

async function removeOwn(element) {
  const book = named(element.dataset.name);
  const yes = await form(html`<h2>${p("remove_ask", { title: book.title })}</h2>${usesHtml(book)}<p>${p("remove_why")}</p>`, p("remove"), "danger");
  if (!yes || !await act(() => ask("POST", "/api/books/remove", { name: book.name, seen: book.number }), p("removed", { title: book.title }))) return;
  if (drafted()?.was === book.name) close();
  loadSetup(true);
}

const giveOwn = element => act(() => ask("POST", `/api/parcels/${element.dataset.number}/give`, { tables: "all" }), p("given"));

// The tournament is played by it from now on; rounds, day and beginning stay as they are.
async function playOwn(element) {
  const setup = known(), book = named(element.dataset.name);
  const options = setup.book.chapters.flatMap(chapter => chapter.options).find(option => option.name === "rounds")?.value;
  await sendForm(html`<h2>${p("play")}</h2><p>${p("play_why", { title: book.title, now: setup.book.title })}</p>`, p("play"), "", async () => {
    await noting({ note: "setup", rules: book.full, options: options ? { rounds: options } : {}, day: setup.day, start: setup.start, based_on: setup.saved.setup ?? -1 });
    toast(p("played", { title: book.title }));
    loadSetup(true);
  }, refusal);
  books.refresh(true);
}

// shown

const given = book => Object.values(book.given).every(Boolean) ? p("at_tables") : p("older_at_tables");

function rowHtml(book) {
  const [last] = book.states;
  return html`<li data-book="${book.name}"><div class="grow"><b>${book.title}</b> <span class="quiet">${book.name}</span>
      <small class="quiet">${p(book.gone ? "removed_by" : "saved_by", { name: last.actor || say("page_saved", "somebody"), time: timeText(last.at) })}
        ${book.rounds.length ? html` · ${p("rounds_by", { rounds: list(book.rounds) })}` : ""}${Object.keys(book.given).length ? html` · ${given(book)}` : ""}</small></div>
    <span class="buttons">${book.gone ? html`<button data-do="openOwn" data-number="${book.states.find(one => !one.gone)?.number}" data-seen="${book.number}">${p("bring_back")}</button>`
      : html`<button data-do="openOwn" data-number="${book.number}" data-seen="${book.number}" class="main">${p("edit")}</button><button data-do="playOwn" data-name="${book.name}">${p("play")}</button>
        <button data-do="giveOwn" data-number="${book.number}">${p("give")}</button><button data-do="removeOwn" data-name="${book.name}">${p("remove")}</button>`}</span></li>`;
}

export const booksHtml = () => html`<section class="panel" id="own-books"><h2>${p("books")}</h2><p class="note">${p("books_why")}</p>
  <ul class="own-books">${all().map(rowHtml)}</ul></section>`;

const filesHtml = number => html`<p class="row">${FILES.map(kind => html`<a href="/api/books/${number}/book.${kind}?language=${current()}" download>${p(`file_${kind}`)}</a>`)}</p>`;

function statesHtml(book) {
  return html`<details><summary>${p("states")} (${book.states.length})</summary><p class="note">${p("states_why")}</p>
    <ul class="own-books">${book.states.map((one, i) => html`<li><span class="grow">${timeText(one.at)} · ${one.actor || say("page_saved", "somebody")} · ${one.gone ? p("was_removed") : one.title}</span>
      ${one.gone || !i ? "" : html`<button class="slim" data-do="openOwn" data-number="${one.number}" data-seen="${book.number}">${p("look_back")}</button>`}</li>`)}</ul></details>`;
}

const differencesHtml = (form, base) => html`<details class="panel" id="own-differences" open><summary><h2>${p("differences", { base: base.short })}: ${form.differences.length}</h2></summary>
  <ul class="differences">${form.differences.map((one, i, found) => html`${one.chapter === found[i - 1]?.chapter ? "" : html`<li class="chapter">${one.chapter}</li>`}<li><b>${one.label}</b>
    <span>${one.mine} <small>${one.at}</small></span><span class="quiet">${one.theirs} <small>${one.there}</small></span></li>`)}</ul></details>`;

// Errors at fields that are not on any view, with the way out: to leave the value away.
function looseHtml(form) {
  const fields = form.views.flatMap(one => one.fields), loose = form.errors.filter(error => error.keys.length && !fields.some(field => isAbout(error, field)));
  return loose.map(error => html`<p class="warn" role="alert">${error.keys[0]}: ${error.told} <button class="slim" data-do="leaveOut" data-key="${error.keys[0]}">${p("leave_out")}</button></p>`);
}

function editorHtml(draft, form) {
  const shown = form.views.find(one => one.id === view) ?? form.views[0], book = named(draft.was), wrong = one => form.errors.some(error => one.fields.some(field => isAbout(error, field)) || (one.id === "name" && !error.keys.length));
  return html`<section class="panel" id="own-book"><h2>${draft.content.title || draft.name} <small>${draft.name}</small></h2>
      <p class="row"><button data-do="saveOwn" class="main" ?disabled=${!form.full || saving}>${s("save")}</button><button data-do="closeOwn">${p("close")}</button>
        <span class="warn" ?hidden=${!dirty()}>${s("unsaved")}</span>${form.errors.length ? html`<span class="warn">${p("errors", { n: form.errors.length })}</span>` : ""}</p>
      ${overtakenHtml()}${looseHtml(form)}
      ${form.views.length ? html`<nav class="tabs own-views" aria-label="${p("views")}">${form.views.map(one => html`<button data-do="ownView" data-view="${one.id}" class="${one === shown ? "here" : ""}" aria-pressed="${one === shown ? "true" : "false"}">${one.title}${wrong(one) ? html` <b class="warn" aria-label="${p("wrong_there")}">!</b>` : ""}</button>`)}</nav>
      <form class="options own-form" id="own-form"><h3>${shown.title}</h3>${viewHtml(draft, shown, form.errors)}</form>` : ""}
      ${draft.was && book && !book.gone ? html`<p class="note">${p("files_why")}</p>${filesHtml(book.number)}${statesHtml(book)}` : ""}</section>
    ${form.base ? differencesHtml(form, form.base) : ""}${trialHtml(draft, Boolean(form.full))}`;
}

export function ownHtml() {
  if (!state.me.director) return "";
  const draft = drafted(), form = described();
  return html`${draft && form ? editorHtml(draft, form) : ""}${booksHtml()}`;
}

export const ownButtons = {
  beginOwn, removeOwn, giveOwn, playOwn, stopTrial,
  openOwn: element => openState(Number(element.dataset.number), Number(element.dataset.seen)).then(() => { location.hash = "#/setup/own"; }),
  saveOwn: () => save(), saveMyBook: () => save(faster.number), takeTheirBook: () => { const { number } = faster; close(); openState(number, number); },
  closeOwn: async () => { if (!dirty() || await sure()) { stopTrial(); close(); } },
  ownView: element => { view = element.dataset.view; redraw(); },
  leaveOut: element => put(element.dataset.key.split(".").slice(0, 2).join("."), undefined),
  tryOwn: () => tryBook(drafted()),
};
document.addEventListener("submit", event => event.target.id === "own-form" && event.preventDefault());
