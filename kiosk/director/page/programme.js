// The programme of the evening: how each round is drawn and played, when it begins, the breaks; what comes next.

import { drawNow, redraw } from "./draw.js";
import { known, loadSetup, noting, whenAnother } from "./office.js";
import { keeps } from "./kept_typed.js";
import { state } from "./live.js";
import { overtakenHtml, saveWhole, typedIn, whole } from "./overtaken.js";
import { bookTitle, html } from "./text.js";
import { s, say, t } from "./words.js";
import { overviewHtml, stateOf } from "./overview.js";
import { kindsOf } from "./places.js";
import { repeat } from "./lit/directives/repeat.js";

const p = (code, fill) => say("page_draws", code, fill);
let rows = null; // what is being written; null: as it is noted
whenAnother(() => { rows = null; });
keeps("programme", { now: () => rows, back: typed => { rows = typed; } });

const FIELDS = ["kind", "rules", "games", "minutes", "start", "pause", "finalists"];
const numbered = (setup, number) => setup.by_round[number] ?? { ...setup.by_round[1], kind: "lot", rules: "", games: null, minutes: null, start: "", pause: 0, finalists: 0 };
const noted = setup => Array.from({ length: setup.rounds }, (_, i) => Object.fromEntries(FIELDS.map(key => [key, numbered(setup, i + 1)[key]])));

function roundHtml(setup, row, number) {
  const kinds = kindsOf(numbered(setup, number), number);
  const field = (name, type = "number") => html`<label>${p(name)}<input name="${name}" type="${type}" inputmode="${type === "number" ? "numeric" : "text"}" min="0" max="999" .defaultValue=${String(row[name] || "")}></label>`;
  return html`<fieldset class="fields" data-programme="${number}" data-part="${t("round")} ${number}"><legend>${t("round")} ${number} <span class="tag">${p(`state_${stateOf(setup, number)}`)}</span></legend>
    <label class="grow">${p("kind")}<select name="kind">${kinds.map(one => html`<option value="${one}" ?selected=${one === row.kind}>${p(`kind_${one}`)}</option>`)}</select></label>
    ${row.kind === "final" ? field("finalists") : ""}
    <label class="grow">${p("book")}<select name="rules"><option value="">${p("same_book")}</option>${setup.books.filter(one => one.name !== setup.book.name).map(one => html`<option value="${one.name}" ?selected=${one.name === row.rules}>${bookTitle(one)}</option>`)}</select></label>
    ${field("games")}${field("minutes")}${field("pause")}${field("start", "time")}</fieldset>`;
}

const roundsHtml = (setup, shown) => repeat(shown, (_, i) => i, (row, i) => roundHtml(setup, row, i + 1));

export function programmeHtml() {
  const setup = known();
  if (!setup) return "";
  const shown = rows ?? noted(setup), open = state.me.director;
  return html`<section class="panel" id="set-programme"><h2 class="unseen">${p("programme")}</h2><p class="note">${p("programme_why")}</p>
    ${open ? html`<form id="programme-form" data-whole="programme">${roundsHtml(setup, shown)}${overtakenHtml("programme")}
      <p class="row"><button type="button" data-do="addRound">${p("add_round")}</button>${shown.length > 1 ? html`<button type="button" data-do="dropRound">${p("drop_round")}</button>` : ""}
        <button type="button" data-do="saveProgramme" class="main">${s("save")}</button>
        ${setup.programme ? html`<button type="button" data-do="noProgramme">${p("no_programme")}</button>` : ""}
        <span class="warn" ?hidden=${!rows}>${s("unsaved")}</span></p></form>` : overviewHtml(setup)}</section>`;
}

function written() {
  const number = value => value === "" ? null : Number(value);
  return [...document.querySelectorAll("[data-programme]")].map(row => {
    const field = name => row.querySelector(`[name=${name}]`)?.value ?? "";
    return { kind: field("kind"), rules: field("rules"), games: number(field("games")), minutes: number(field("minutes")), pause: number(field("pause")) ?? 0, start: field("start"), finalists: number(field("finalists")) };
  });
}

async function save(rounds, done, over) {
  if (await saveWhole("programme", { note: "programme", rounds }, done, over)) rows = null;
  redraw();
}
const saveProgramme = over => save(written(), p("programme_saved"), over);
whole("programme", {
  form: "programme-form", saved: () => known().saved.programme, last: () => known().last, fields: () => roundsHtml(known(), noted(known())), send: noting, load: () => loadSetup(true),
  dirty: () => rows !== null, kept: [], save: saveProgramme, take: () => { rows = null; drawNow(); document.getElementById("programme-form").reset(); },
});

// A round more or less is written, too.
function withRows(element, changed) {
  typedIn(element);
  rows = changed;
  redraw();
}

export const programmeButtons = {
  addRound: element => withRows(element, [...written(), { kind: "lot", rules: "", games: null, minutes: null, start: "", pause: 0, finalists: null }]),
  dropRound: element => withRows(element, written().slice(0, -1)),
  saveProgramme: () => saveProgramme(),
  noProgramme: () => save([], p("programme_gone")),
};

export function programmeChange(event) {
  if (!event.target.closest("#programme-form")) return;
  rows = written();
  redraw();
}
