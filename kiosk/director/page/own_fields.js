// The fields of a club's own book, each in plain words, as the service describes them.

import { form } from "./actions.js";
import { html, sectionText } from "./text.js";
import { differs, freshness, put as setAnew, rename, set, setGames, setWords, valueOf, wordsFor } from "./own_draft.js";
import { list, say } from "./words.js";
import { repeat } from "./lit/directives/repeat.js";

export const p = (code, fill) => say("page_book", code, fill);

const DRAWN_MS = 100; // after a change until it is drawn
const LONG = 28; // letters of a choice that a telephone shows in one line
// Sets a value by a button: the field stands there anew, and is where one goes on.
function put(key, value, base) {
  setAnew(key, value, base);
  setTimeout(() => document.querySelector(`[data-field="${key}"] :is(select, input, button)`)?.focus({ preventScroll: true }), DRAWN_MS);
}

const idOf = field => `own-${field.key}`;
const wordIn = (pairs, value) => (pairs ?? []).find(([one]) => one === value)?.[1] ?? String(value);
const asList = value => Array.isArray(value) ? value : [];

// A value of a field in words.
export function told(field, value) {
  if (field.kind === "yes_no") return p(value ? "yes" : "no");
  if (field.kind === "ranks") return asList(value).map(group => asList(group).map(name => wordIn(field.values, name)).join(" = ")).join(", ");
  if (field.kind === "wordings") return list(asList(value).map(one => one.section));
  if (Array.isArray(value)) return value.length ? list(value.map(one => wordIn(field.values ?? field.tokens, one))) : p("none");
  return field.values ? wordIn(field.values, value) : String(value ?? "");
}

const choice = field => html`<select id="${idOf(field)}" @change=${event => set(field.key, field.values.find(([value]) => String(value) === event.target.value)[0], field.base)}>
  ${field.values.map(([value, text]) => html`<option value="${String(value)}" ?selected=${value === valueOf(field)}>${text}</option>`)}</select>${told(field, valueOf(field)).length > LONG ? html`<small class="chosen">${told(field, valueOf(field))}</small>` : ""}`;

const yesNo = field => html`<input type="checkbox" id="${idOf(field)}" ?checked=${valueOf(field)} @change=${event => set(field.key, event.target.checked, field.base)}>`;

function typedNumber(field, event) {
  const { value } = event.target;
  if (value === "" || !event.target.reportValidity()) return value === "" ? put(field.key, undefined) : null;
  set(field.key, Number(value), field.base);
}
const number = field => html`<input type="number" inputmode="numeric" id="${idOf(field)}" value="${String(valueOf(field))}" min="${field.range[0]}" max="${field.range[1]}" step="${field.range[2]}"
  title="${field.allowed}" @change=${event => typedNumber(field, event)}>`;

const text = field => html`<input id="${idOf(field)}" maxlength="400" autocomplete="off" value="${valueOf(field)}" @change=${event => set(field.key, event.target.value.trim(), field.base)}>`;

function many(field) {
  const chosen = asList(valueOf(field));
  const change = (value, on) => {
    const names = field.values.map(([one]) => one).filter(one => one === value ? on : chosen.includes(one));
    if (field.key === "games.played") setGames(field, names);
    else set(field.key, names, field.base);
  };
  return html`<span class="many" role="group" aria-label="${field.label}">${field.values.map(([value, word]) => html`<label class="check"><input type="checkbox" ?checked=${chosen.includes(value)}
    @change=${event => change(value, event.target.checked)}> ${word}</label>`)}</span>`;
}

// Whose Vorbehalt goes first: a number for each game, equal ones are equal.
function ranks(field) {
  const groups = field.groups, placeOf = name => groups.findIndex(group => group.includes(name)) + 1;
  const change = (name, place) => {
    const places = new Map(field.values.map(([one]) => [one, one === name ? place : placeOf(one)]));
    const there = [...new Set(places.values())].sort((one, other) => one - other);
    put(field.key, there.map(one => [...places].filter(([, at]) => at === one).map(([game]) => game)), groups);
  };
  return html`<span class="many" role="group" aria-label="${field.label}">${field.values.map(([name, word]) => html`<label class="rank"><input type="number" inputmode="numeric" min="1" max="30"
    value="${String(placeOf(name))}" @change=${event => Number(event.target.value) > 0 && change(name, Number(event.target.value))}> ${word}</label>`)}</span>`;
}

// Trumps, the strongest first: each may be taken out, another is put behind the last one.
function tokens(field) {
  const value = asList(valueOf(field)), word = one => wordIn(field.tokens, one);
  return html`<span class="tokens"><span>${value.map((one, i) => html`<button type="button" class="slim" aria-label="${p("strike", { what: word(one) })}"
      @click=${() => put(field.key, value.filter((_, j) => j !== i), field.base)}>${word(one)} <span aria-hidden="true">×</span></button>`)}${value.length ? "" : p("none")}</span>
    <select aria-label="${p("add_to", { what: field.label })}" @change=${event => event.target.value && put(field.key, [...value, event.target.value], field.base)}>
      <option value="">${p("add")}</option>${field.tokens.filter(([one]) => !value.includes(one)).map(([one, told]) => html`<option value="${one}">${told}</option>`)}</select></span>`;
}

const KINDS = { choice, yes_no: yesNo, number, text, many, ranks, tokens };

async function askWords(about, label) {
  const there = wordsFor(about);
  const data = await form(html`<h2>${p("own_words")}</h2><p>${label}</p>
    <label>${p("section")}<input name="section" maxlength="40" value="${there?.section ?? ""}" autocomplete="off"></label>
    <label>${p("sentence")}<textarea name="text" rows="4" maxlength="400">${there?.text ?? ""}</textarea></label>
    <p class="note">${p("own_words_why")}</p>`, p("take"));
  if (data) setWords(about, data.get("section").trim(), data.get("text").replace(/\s+/g, " ").trim());
}

const errorsHtml = errors => errors.map(one => html`<p class="warn" role="alert">${one.told}</p>`);

function fieldHtml(field, errors) {
  const own = field.about ? wordsFor(field.about) : null, made = KINDS[field.kind](field), wide = ["many", "ranks", "tokens", "choice", "text"].includes(field.kind);
  const base = field.base_told ?? (["choice", "ranks", "text"].includes(field.kind) ? "" : told(field, field.base));
  const head = html`${field.label}${field.section ? html` <small>${sectionText(field.section)}</small>` : ""}`;
  return html`<li class="${[differs(field) ? "differs" : "", wide ? "wide-field" : "", field.under ? "under" : ""].join(" ")}" data-field="${field.key}">
    ${["many", "ranks", "tokens"].includes(field.kind) ? html`<span class="label">${head}</span>` : html`<label for="${idOf(field)}">${head}</label>`}
    <span class="field">${made}${base ? html`<small>${p("below", { told: base })}</small>` : ""}</span>
    ${errorsHtml(errors)}
    <span class="words">${own ? html`<span><b>${own.section}</b> ${own.text ?? ""}</span>` : ""}
      ${differs(field) && !["text"].includes(field.kind) ? html`<button type="button" class="slim" aria-label="${p("as_below_of", { what: field.label })}" @click=${() => put(field.key, undefined)}>${p("as_below")}</button>` : ""}
      ${field.about ? html`<button type="button" class="slim" aria-label="${p(own ? "change_words" : "own_words")}: ${field.label}" @click=${() => askWords(field.about, field.label)}>${p(own ? "change_words" : "own_words")}</button>` : ""}</span></li>`;
}

const nameHtml = (draft, errors) => html`<li class="wide-field"><label for="own-name">${p("name")}</label>
  <span class="field"><input id="own-name" maxlength="24" autocomplete="off" autocapitalize="off" spellcheck="false" value="${draft.name}" @change=${event => rename(event.target.value.trim())}><small>${p("name_why")}</small></span>${errorsHtml(errors)}</li>`;

// The sections that the club has written itself, all together.
const wordingsHtml = (field, errors) => html`<li class="wide-field"><span class="label">${p("wordings_why")}</span>${errorsHtml(errors)}
  <ul class="wordings">${asList(valueOf(field)).map((one, i) => html`<li><b>${one.section}</b> ${one.text ?? ""}<br><small>${list(asList(one.about).map(name => wordIn(field.abouts, name)))}</small>
    <p class="row"><button type="button" class="slim" @click=${() => askWords(one.about[0], list(asList(one.about).map(name => wordIn(field.abouts, name))))}>${p("change_words")}</button>
      <button type="button" class="slim" @click=${() => setAnew(field.key, valueOf(field).filter((_, j) => j !== i), [])}>${p("strike_words")}</button></p></li>`)}</ul></li>`;

export const isAbout = (error, field) => error.keys.some(key => key === field.key || key.startsWith(`${field.key}.`));

export function viewHtml(draft, view, errors) {
  const rows = [...view.id === "name" ? [{ key: "name", kind: "name" }] : [], ...view.fields];
  return html`<ul>${repeat(rows, field => freshness(field.key), field => {
    const about = field.kind === "name" ? errors.filter(one => !one.keys.length) : errors.filter(one => isAbout(one, field));
    return field.kind === "name" ? nameHtml(draft, about) : field.kind === "wordings" ? wordingsHtml(field, about) : fieldHtml(field, about);
  })}</ul>`;
}
