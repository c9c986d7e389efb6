// The entry desk: one field that finds people by name, number or badge, and what was done last, to be undone.

import { redraw } from "./draw.js";
import { known, note, send } from "./office.js";
import { toast } from "./actions.js";
import { html } from "./text.js";
import { current, list, say } from "./words.js";

export const p = (code, fill) => say("page_people", code, fill);

let words = "", shown = "all", last = null;
export const searched = () => words;

export const FILTERS = {
  "all": () => true,
  "missing": one => !one.checked_in && !one.gone,
  "here": one => one.checked_in && !one.gone,
  "unpaid": one => !one.paid && !one.gone,
  "unnumbered": one => one.number === null,
  "substitutes": one => one.substitute,
};

// Without accents and capitals; umlauts both as one letter and as two.
const PLAIN = { "\u0131": "i", "\u0142": "l", "\u0111": "d", "\u00f8": "o" };  // letters that are not made of a sign above another
const bare = text => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/[\u0131\u0142\u0111\u00f8]/g, letter => PLAIN[letter]);
const spelled = text => bare(text.toLowerCase().replaceAll("\u00e4", "ae").replaceAll("\u00f6", "oe").replaceAll("\u00fc", "ue").replaceAll("\u00df", "ss"));
const folded = new Map();  // name and club → its words

const parts = text => text.split(/[\s()-]+/).filter(Boolean); // also of a name with a hyphen
const typedWords = text => parts(bare(text));

function wordsOf(one) {
  const text = `${one.name} ${one.club}`;
  if (!folded.has(text)) folded.set(text, [...parts(bare(text)), ...parts(spelled(text))]);
  return folded.get(text);
}

// Whether every word of a text begins a word of the name.
export const named = (name, text) => fits({ name, club: "", number: null }, typedWords(text));

// Whether every word that was typed begins a word of the name or club, or is the number.
const fits = (one, typed) => typed.every(word => String(one.number) === word || wordsOf(one).some(known => known.startsWith(word)));

// Everybody who fits, who is likeliest meant first: by number, not here yet, by the first name.
export function found(text = words) {
  const typed = typedWords(text);
  const rank = one => typed.length ? [String(one.number) !== typed[0], Boolean(one.checked_in || one.gone), !wordsOf(one)[0].startsWith(typed[0])] : [];
  const before = (one, other) => rank(one).map((value, i) => value - rank(other)[i]).find(Boolean)
    ?? (one.substitute - other.substitute || one.name.localeCompare(other.name, current()));
  return (known()?.people ?? []).filter(one => FILTERS[shown](one) && fits(one, typed)).sort(before);
}

// Does something at the entry desk, and keeps it to be undone.
export async function act(body, text) {
  const said = await note(body);
  if (said) did(said, text);
  return said;
}

export function did(said, text) {
  last = { number: said.number, text };
  redraw();
}

async function undoLast() {
  const one = last;
  if (!one) return;
  last = null;
  if (!await send("undo", { number: one.number, why: "" }, p("undone"))) last = one;
  redraw();
}

export const checkIn = name => act({ note: "check_in", name }, p("is_here", { name }));

// A badge as the tables' scanners read it: "P:12 Anna Ott"; a scanner set as another keyboard writes another sign for the colon.
const BADGE = /^p[:\u00f6\u00d6;>]\s*(\d{1,9})(?:\s+(.*))?$/i;

function ofBadge(number, name) {
  const people = known().people, same = one => bare(one.name) === bare(known().aliases[name] ?? name);
  const numbered = people.find(one => one.number === Number(number));
  return numbered && (!name || same(numbered)) ? numbered : name && people.find(same);
}

// Enter, typed or sent by a scanner: whoever is first is here.
function enter(text) {
  const badge = BADGE.exec(text.trim());
  const first = badge ? ofBadge(badge[1], badge[2]?.trim()) : text.trim() ? found(text)[0] : null;
  if (!first) {
    if (text.trim()) toast(badge ? p("no_badge", { badge: text.trim() }) : p("nobody_found"), true);
    return;
  }
  words = "";
  checkIn(first.name);
}

function typed(event) {
  words = event.target.value;
  redraw();
}

function pressed(event) {
  if (event.key === "Escape") words = "";
  else if (event.key === "Enter" && !event.isComposing) enter(event.target.value);
  else return;
  event.preventDefault();
  event.target.value = words;
  redraw();
}

const choose = event => { shown = event.target.value; redraw(); };

export const deskHtml = () => html`<div class="fields desk"><label class="grow">${p("search")}
    <input type="search" id="desk" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="done" @input=${typed} @keydown=${pressed}></label>
  <p class="small quiet wide why">${p("search_why")}</p></div>`;

export const filterHtml = () => html`<label class="filter"><span class="unseen">${p("show")}</span><select id="desk-show" @change=${choose}>${Object.keys(FILTERS).map(name =>
  html`<option value="${name}" ?selected=${shown === name}>${p(name)}</option>`)}</select></label>`;

export const lastHtml = () => !last ? "" : html`<p class="row last"><span>${last.text}</span> <button data-do="undoLast">${p("undo")}</button></p>`;

export const namesText = names => names.length > 3 ? `${list(names.slice(0, 3))} …` : list(names);
export const deskButtons = { undoLast };
