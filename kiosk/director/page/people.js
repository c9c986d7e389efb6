// The people of the tournament: entered, checked in, changed.

import { form } from "./actions.js";
import { known, note } from "./office.js";
import { may } from "./live.js";
import { html, timeText } from "./text.js";
import { current, list, s } from "./words.js";
import { repeat } from "./lit/directives/repeat.js";

export function peopleHtml() {
  return html`<section class="panel" id="set-people"><h2 class="unseen">${s("people")}</h2><form id="add-form" class="fields" ?hidden=${!may("enter")}><label class="grow">${s("add_names")}<textarea name="names" rows="2"></textarea></label>
    <span class="stack"><label class="check"><input type="checkbox" name="substitute"> ${s("as_substitute")}</label>
    <label class="check"><input type="checkbox" name="here"> ${s("here_now")}</label>
    <button type="button" data-do="addPeople" class="main">${s("add")}</button></span></form>${known() ? listHtml(known()) : ""}</section>`;
}

function countText(n, here, substitutes) {
  return list([s("n_people", { n }), ...here === null ? [] : [s("n_here", { n: here })], ...substitutes ? [s("n_substitutes", { n: substitutes })] : []]);
}

function listHtml(setup) {
  const everybody = [...setup.people].sort((a, b) => a.substitute - b.substitute || a.name.localeCompare(b.name, current()));
  const players = everybody.filter(one => !one.substitute && !one.gone);
  const used = setup.people.some(one => one.checked_in);
  if (!everybody.length) return html`<p class="quiet">${s("none")}</p>`;
  return html`<p class="note">${countText(players.length, used ? players.filter(one => one.checked_in).length : null, everybody.filter(one => one.substitute && !one.gone).length)}</p>
    <ul class="people">${repeat(everybody, one => one.name, one => html`<li class="${one.gone ? "gone" : ""}" data-person="${one.name}"><span class="who">${one.name} ${one.substitute ? html`<span class="tag">${s("substitute")}</span>` : ""}</span>
      <span class="quiet small">${one.gone ? s("gone") : one.checked_in ? s("since", { time: timeText(one.checked_in) }) : used ? s("not_here") : ""} ${one.late && !one.gone ? html`<b class="warn">${s("late", { minutes: one.late })}</b>` : ""}</span>
      ${may("enter") ? html`<span class="buttons">${!one.checked_in && !one.gone ? html`<button data-do="checkIn" data-name="${one.name}" aria-label="${one.name}: ${s("check_in")}">${s("check_in")}</button>` : ""}
        <button data-do="editPerson" data-name="${one.name}" class="slim" aria-label="${s("edit", { name: one.name })}">${s("more")}</button></span>` : ""}</li>`)}</ul>`;
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

const clock = ms => ms ? new Date(ms).toTimeString().slice(0, 5) : "";

async function editPerson(element) {
  const one = known().people.find(person => person.name === element.dataset.name);
  const data = await form(html`<h2>${s("edit", { name: one.name })}</h2><label>${s("new_name")}<input name="name" value="${one.name}" maxlength="40" autocomplete="off"></label>
    <label>${s("came_at")}<input name="came" type="time" value="${clock(one.checked_in)}"></label>
    <label class="check"><input type="checkbox" name="substitute" ?checked=${one.substitute}> ${s("is_substitute")}</label>
    <label class="check"><input type="checkbox" name="gone" ?checked=${one.gone}> ${s("is_gone")}</label>`, s("save"));
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


export const peopleButtons = {
  addPeople, editPerson,
  checkIn: element => note({ note: "check_in", name: element.dataset.name }),
};
