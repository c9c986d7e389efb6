// The people of the tournament: found, checked in, changed one by one or many at once.

import { form } from "./actions.js";
import { act, checkIn, deskButtons, deskHtml, did, filterHtml, found, lastHtml, namesText, p, searched } from "./desk.js";
import { addHtml, previewHtml, takeInButtons } from "./take_in.js";
import { redraw } from "./draw.js";
import { printBadges } from "./labels.js";
import { may } from "./live.js";
import { known, noting, whenAnother } from "./office.js";
import { wholeForm } from "./overtaken.js";
import { html, timeText } from "./text.js";
import { list, s } from "./words.js";
import { repeat } from "./lit/directives/repeat.js";

let choosing = false;
const chosen = new Set();
const chosenPeople = () => known().people.filter(one => chosen.has(one.name));
whenAnother(() => { choosing = false; chosen.clear(); });

export function peopleHtml() {
  const setup = known();
  return html`<section class="panel" id="set-people"><h2 class="unseen">${s("people")}</h2>${addHtml()}${previewHtml()}
    ${!setup ? "" : !setup.people.length ? html`<p class="quiet">${s("none")}</p>` : html`${may("enter") ? deskHtml() : ""}${lastHtml()}${listHtml(setup)}`}</section>`;
}

function countText(n, here, substitutes) {
  return list([s("n_people", { n }), ...here === null ? [] : [s("n_here", { n: here })], ...substitutes ? [s("n_substitutes", { n: substitutes })] : []]);
}

function listHtml(setup) {
  const everybody = setup.people.filter(one => !one.gone), players = everybody.filter(one => !one.substitute);
  const used = setup.people.some(one => one.checked_in), shown = found();
  return html`<div class="row over"><p class="note">${countText(players.length, used ? players.filter(one => one.checked_in).length : null, everybody.length - players.length)}</p>
      ${may("enter") ? filterHtml() : ""}${may("enter") && !choosing ? html`<button data-do="choosePeople" class="slim">${p("choose")}</button>` : ""}</div>
    ${shown.length ? "" : html`<p class="warn">${p("nobody_found")}</p>`}
    <ul class="people ${searched() ? "searched" : ""}">${repeat(shown, one => one.name, one => rowHtml(one, used))}</ul>${choosing && may("enter") ? bulkHtml(shown) : ""}`;
}

const stateText = (one, used) => one.gone ? s("gone") : one.checked_in ? s("since", { time: timeText(one.checked_in) }) : used ? s("not_here") : "";

const rowHtml = (one, used) => html`<li class="${one.gone ? "gone" : ""}" data-person="${one.name}">
  ${choosing ? html`<input type="checkbox" .checked=${chosen.has(one.name)} data-name="${one.name}" aria-label="${p("choose_one", { name: one.name })}" @change=${choosePerson}>` : ""}
  <span class="who">${one.number === null ? "" : html`<span class="number-of" title="${p("number")}">${one.number}</span> `}${one.name} ${one.substitute ? html`<span class="tag">${s("substitute")}</span>` : ""}
    ${one.club ? html`<span class="club">${one.club}</span>` : ""}</span>
  <span class="quiet small when">${stateText(one, used)} ${one.late && !one.gone ? html`<b class="warn">${s("late", { minutes: one.late })}</b>` : ""}${one.paid ? html` · ${p("paid_times", { n: one.payments })}` : ""}</span>
  ${may("enter") && !choosing ? html`<span class="buttons">${!one.checked_in && !one.gone ? html`<button data-do="checkIn" data-name="${one.name}" aria-label="${one.name}: ${s("check_in")}">${s("check_in")}</button>` : ""}
    <button data-do="editPerson" data-name="${one.name}" class="slim" aria-label="${s("edit", { name: one.name })}">${s("more")}</button></span>` : ""}</li>`;

function choosePerson(event) {
  chosen[event.target.checked ? "add" : "delete"](event.target.dataset.name);
  redraw();
}

function bulkHtml(shown) {
  const n = chosenPeople().length, button = (name, code, off = !n) => html`<button data-do="${name}" ?disabled=${off}>${p(code)}</button>`;
  return html`<div class="bulk"><p><b>${p("n_chosen", { n })}</b> <button data-do="chooseAll" ?disabled=${!shown.length}>${p("choose_all")}</button> <button data-do="chooseDone" class="main">${p("choose_done")}</button></p>
    <p>${button("bulkHere", "do_here")}${button("bulkPaid", "do_paid")}${button("bulkClub", "do_club")}${button("bulkNumbers", "do_numbers")}${button("bulkBadges", "do_badges")}${button("bulkMerge", "do_merge", n !== 2)}${button("bulkRemove", "remove")}</p></div>`;
}

async function bulk(body, text) {
  const names = chosenPeople().map(one => one.name);
  if (names.length && await act({ names, ...body }, text(names))) chosen.clear();
  redraw();
}

async function bulkClub() {
  const clubs = [...new Set(known().people.map(one => one.club).filter(Boolean))];
  const data = await form(html`<h2>${p("club")}</h2><label>${p("club")}<input name="club" maxlength="60" list="clubs" autocomplete="off"></label>
    <datalist id="clubs">${clubs.map(club => html`<option value="${club}"></option>`)}</datalist>`, s("save"));
  if (data) await bulk({ note: "club", club: data.get("club").trim() }, names => p("club_set", { club: data.get("club").trim() || "–", n: names.length }));
}

async function bulkMerge() {
  const people = chosenPeople(), [one, other] = people.map(person => person.name);
  const data = await form(html`<h2>${p("merge_ask")}</h2><p>${p("merge_why")}</p>${people.every(person => person.paid) ? html`<p class="warn">${p("merge_paid")}</p>` : ""}<div class="choice column">${[one, other].map((name, i) => html`
    <label><input type="radio" name="keep" value="${name}" ?checked=${i === 0}><span>${name}</span></label>`)}</div>`, p("merge_yes"));
  if (!data) return;
  const keep = data.get("keep"), gone = keep === one ? other : one;
  if (await act({ note: "merge", name: keep, other: gone }, p("merged", { name: keep, other: gone }))) chosen.clear();
  redraw();
}

async function remove(names) {
  const yes = await form(html`<h2>${p("remove_ask", { n: s("n_people", { n: names.length }) })}</h2><p>${namesText(names)}</p><p class="quiet">${p("remove_why")}</p>`, p("remove"), "danger");
  return yes && await act({ note: "remove", names }, p("removed", { names: namesText(names) }));
}

const clock = ms => ms ? new Date(ms).toTimeString().slice(0, 5) : "";

// What was changed in the form of a person; what stood there is the same by its keys.
function changes(one, data) {
  const came = data.get("came"), [hours, minutes] = came.split(":").map(Number), wish = {};
  const set = (key, before, after) => { if (before !== after) wish[key] = after; };
  set("to", one.name, data.get("name").trim());
  set("number", one.number, data.get("number") ? Number(data.get("number")) : null);
  set("club", one.club, data.get("club").trim());
  if (came !== clock(one.checked_in)) set("came", one.checked_in, came ? new Date(one.checked_in ?? Date.now()).setHours(hours, minutes, 0, 0) : null);
  set("paid", Boolean(one.paid), Boolean(data.get("paid")));
  set("substitute", one.substitute, Boolean(data.get("substitute")));
  set("gone", Boolean(one.gone), Boolean(data.get("gone")));
  return wish;
}

// Of what was changed what stands there: what somebody else has changed meanwhile is not overwritten.
function standing(one, wish) {
  const now = { to: one.name, number: one.number, club: one.club, came: one.checked_in, paid: Boolean(one.paid), substitute: one.substitute, gone: Boolean(one.gone) };
  return Object.fromEntries(Object.keys(wish).map(key => [key, now[key]]));
}

async function editPerson(element) {
  const { name } = element.dataset;
  let saved = null;
  const data = await wholeForm({
    stored: () => known().people.find(person => person.name === (known().aliases[name] ?? name)),
    head: html`<h2>${s("edit", { name })}</h2>`,
    fields: personHtml, yes: s("save"),
    names: (data, first) => Object.keys(changes(first, data)).map(key => key === "to" ? "name" : key),
    send: async (data, over, first) => {
      const wish = changes(first, data);
      if (Object.keys(wish).length) saved = [await noting({ note: "person", name: over.name, ...wish, was: standing(over, wish) }), wish.to ?? over.name];
    },
  });
  if (data?.get("pressed") === "remove") await remove([name]);
  else if (saved) did(saved[0], p("changed", { name: saved[1] }));
}

const personHtml = one => html`<label>${s("new_name")}<input name="name" value="${one.name}" maxlength="40" autocomplete="off" required></label>
    <label>${p("number")}<input name="number" type="number" inputmode="numeric" min="1" max="99999" value="${one.number ?? ""}"></label>
    <label>${s("came_at")}<input name="came" type="time" value="${clock(one.checked_in)}"></label>
    <label>${p("club")}<input name="club" value="${one.club}" maxlength="60" autocomplete="off"></label>
    <label class="check"><input type="checkbox" name="paid" ?checked=${one.paid}> ${p("paid")}</label>
    <label class="check"><input type="checkbox" name="substitute" ?checked=${one.substitute}> ${s("is_substitute")}</label>
    <label class="check"><input type="checkbox" name="gone" ?checked=${one.gone}> ${s("is_gone")}</label>
    <p><button value="remove" formnovalidate>${p("remove")}</button></p>`;

export const peopleButtons = {
  ...deskButtons, ...takeInButtons, editPerson, bulkClub, bulkMerge,
  checkIn: element => checkIn(element.dataset.name),
  choosePeople: () => { choosing = true; redraw(); },
  chooseDone: () => { choosing = false; chosen.clear(); redraw(); },
  chooseAll: () => { found().forEach(one => chosen.add(one.name)); redraw(); },
  bulkHere: () => bulk({ note: "check_in" }, names => p("n_here_now", { n: names.length })),
  bulkPaid: () => bulk({ note: "fee", paid: true }, names => p("n_paid", { n: names.length })),
  bulkBadges: () => printBadges(chosenPeople()),
  bulkNumbers: () => bulk({ note: "numbers" }, names => p("numbers_given", { n: names.length })),
  bulkRemove: async () => { if (await remove(chosenPeople().map(one => one.name))) chosen.clear(); redraw(); },
};
