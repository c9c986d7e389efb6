// Who comes in for whom during a round, and the Schiedsgericht that sits over a table.

import { ask, form } from "./actions.js";
import { known, note, sendForm } from "./office.js";
import { state } from "./live.js";
import { html, sectionText } from "./text.js";
import { list, s, say } from "./words.js";

export async function replacePlayer(card) {
  const playing = new Set([...state.cards.values()].flatMap(one => one.closed ? [] : one.players));
  const section = known()?.book.seating.substitutes_section;
  const free = (known()?.people ?? []).filter(one => one.substitute && !playing.has(one.name));
  const left = data => card.players[Number(data.get("seat")) - 1], came = data => data.get("came").trim();
  await sendForm(html`<h2>${s("replace_for", { table: card.table })}</h2>
    <label>${s("who_left")}<select name="seat">${card.players.map((name, i) => html`<option value="${i + 1}">${name}</option>`)}</select></label>
    <label>${s("who_came")}<input name="came" list="free" maxlength="40" autocomplete="off" required></label><datalist id="free">${free.map(one => html`<option value="${one.name}"></option>`)}</datalist>
    <p class="quiet">${section ? s("replace_why_by", { section: sectionText(section) }) : s("replace_why")}</p>`, s("replace"), "", async data => {
    const seat = Number(data.get("seat"));
    await ask("POST", `/api/${encodeURIComponent(state.me.tournament)}/${state.round}/${card.table}/substitute`, { seat, came: came(data), left: left(data) });
    return { left: left(data), came: came(data) };
  }, said => s("replaced", said));
}

export async function court(card) {
  const others = [...state.cards.values()].filter(one => one.table !== card.table && !one.closed).sort((a, b) => a.table - b.table);
  const data = await form(html`<h2>${s("court_for", { table: card.table })}</h2><p>${s("court_why", { section: sectionText(known().book.seating.court_section) })}</p>
    ${others.length ? html`<fieldset><legend>${s("court_tables")}</legend><div class="choice">${others.map(one => html`<label><input type="checkbox" name="tables" value="${one.table}"><span>${one.table}</span></label>`)}</div></fieldset>` : ""}`, s("court_begin"));
  if (data) await note({ note: "court", round: state.round, table: card.table, tables: data.getAll("tables").map(Number) });
}

export const courtEnds = card => note({ note: "court_ends", round: state.round, table: card.table }, said => s("court_given", {
  n: said.tables.length, extra: say("page_events", "extra", { n: said.minutes }), tables: list([...said.tables].sort((a, b) => a - b)),
}));
