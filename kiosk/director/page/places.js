// Who sits where: the draw of a round, put right by hand, brought to the tables, printed.

import { redraw } from "./draw.js";
import { impossibleText, known, note, peopleText, whenAnother } from "./office.js";
import { state } from "./live.js";
import { html, sectionText } from "./text.js";
import { current, joined, list, s, t } from "./words.js";
import { repeat } from "./lit/directives/repeat.js";

let picked = [], round = 0, fives = null, avoid = false;
export const forgetFives = () => { fives = null; };
whenAnother(() => { [picked, round, fives, avoid] = [[], 0, null, false]; });

// The first round that the tables do not have yet.
const nextRound = setup => {
  for (let number = 1; number <= setup.rounds; number++) if (!setup.plans[number]?.published) return number;
  return setup.rounds;
};

function tablesText(sizes) {
  const count = size => sizes.filter(one => one === size).length;
  return joined([["n_fours", count(4)], ["n_fives", count(5)]].filter(([, n]) => n).map(([code, n]) => s(code, { n })), "and");
}

function possibleHtml(setup) {
  const seating = setup.book.seating, n = setup.present.length, subs = setup.substitutes_present.length;
  const possible = setup.possible[(fives ?? setup.fives_wanted) ? "fives" : "fours"];
  const absent = setup.people.filter(one => !one.substitute && !one.gone && !setup.present.includes(one.name)).map(one => one.name);
  return html`<p class="${possible.sizes ? "" : "warn"}" id="possible">${possible.sizes ? s("possible", { people: peopleText(n, possible.filling), tables: tablesText(possible.sizes) }) : impossibleText(n, subs, possible)}</p>
    ${absent.length ? html`<p class="quiet">${s("absent", { names: list(absent) })}</p>` : ""}
    ${round > 1 && seating.lot_alone ? html`<p class="quiet">${s("lot_alone", { section: sectionText(seating.lot_alone) })}</p>` : ""}`;
}

export function placesHtml() {
  const setup = known();
  if (!setup) return "";
  round ||= nextRound(setup);
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
  return html`<section class="panel" id="set-draw"><h2>${s("draw", { round })}${section ? html` <small>${s("by_section", { section: sectionText(section) })}</small>` : ""}</h2>
    <nav class="tabs">${tabs.map(one => html`<button data-do="drawRound" data-round="${one}" class="${one === round ? "here" : ""}">${t("round")} ${one}${setup.plans[one]?.published ? " ✓" : ""}</button>`)}</nav>
    ${plan?.published ? "" : possibleHtml(setup)}
    ${open && !plan?.published ? html`<form id="draw-form" class="fields"><label>${s("seed")}<input name="seed" maxlength="40" autocomplete="off"></label>
      <span class="stack">${setup.book.tables.includes(5) ? html`<label class="check"><input type="checkbox" name="fives" ?checked=${fives ?? setup.fives_wanted}> ${seating.fives_section ? s("fives_section", { section: sectionText(seating.fives_section) }) : s("fives")}</label>` : ""}
      ${round > 1 && !seating.lot_alone ? html`<label class="check"><input type="checkbox" name="avoid" ?checked=${avoid}> ${s("avoid")}</label>` : ""}
      <button type="button" data-do="drawSeats" class="${plan ? "" : "main"}">${plan ? s("draw_again") : s("draw_it")}</button></span></form>` : ""}
    ${!plan ? "" : html`<div class="plan" id="plan"><h2 class="print">${setup.name} – ${s("draw", { round })}</h2>
      <p class="quiet">${plan.seed ? s("drawn", { seed: plan.seed }) : ""}${plan.mended ? ` · ${s("mended")}` : ""}
        ${round > 1 ? html`<br>${plan.met_again.length ? s("met", { n: plan.met_again.length }) : s("met_none")}` : ""}</p>
      ${plan.unseated.length ? html`<p class="warn">${s("unseated", { names: list(plan.unseated) })}</p>` : ""}
      ${plan.missing.length && !begun.size ? html`<p class="warn">${s("seated_missing", { names: list(plan.missing) })}</p>` : ""}
      <div class="tables">${repeat(Object.entries(plan.seats), ([table]) => `${round} ${table}`, ([table, names]) => html`<div class="seated" data-seated="${table}"><h3>${s("table", { table })}${begun.has(Number(table)) ? html` <small>${s("begun")}</small>` : ""}</h3>
        ${names.length > setup.mats[table] && !begun.has(Number(table)) ? html`<p class="warn">${s("small_mat", { people: names.length, seats: setup.mats[table] })}</p>` : ""}
        <ol>${names.map((name, i) => seat(name, i + 1, begun.has(Number(table))))}</ol></div>`)}
        ${plan.unseated.length && open ? html`<div class="seated"><h3>–</h3><ol>${plan.unseated.map(name => seat(name, "", false))}</ol></div>` : ""}</div>
      ${open && movable ? html`<p class="row">${picked.length === 2 ? html`<button data-do="swapSeats" class="main">${s("swap", { one: picked[0], other: picked[1] })}</button>` : html`<span class="quiet">${s("swap_hint")}</span>`}
        ${picked.length ? html`<button data-do="unpick">${s("unpick")}</button>` : ""}</p>` : ""}
      <p class="${plan.published ? "quiet" : "warn"}">${plan.published ? s("published") : s("not_published")}</p>
      <p class="row">${!open ? "" : plan.published ? begun.size ? "" : html`<button data-do="withdrawPlan">${s("withdraw")}</button>` : html`<button data-do="publishPlan" class="main">${s("publish")}</button>`}
        <button data-do="printPlan">${s("print")}</button></p>
      <div class="by-name"><h3>${s("by_name")}</h3><ul>${places.sort((a, b) => a[0].localeCompare(b[0], current())).map(([name, table, number]) => html`<li><b>${name}</b> <span>${s("place", { table, seat: number })}</span></li>`)}</ul></div></div>`}</section>`;
}

function drawSeats() {
  const data = document.getElementById("draw-form").elements;
  picked = [];
  return note({ note: "draw", round, seed: data.seed.value, fives: data.fives?.checked ?? false, avoid: data.avoid?.checked ?? false });
}

function pick(element) {
  const name = element.dataset.name;
  picked = picked.includes(name) ? picked.filter(one => one !== name) : [...picked.slice(-1), name];
  redraw();
}

async function swapSeats() {
  const [one, other] = picked;
  picked = [];
  await note({ note: "swap", round, one, other });
}


export const placesButtons = {
  drawSeats, pick, swapSeats,
  drawRound: element => { round = Number(element.dataset.round); picked = []; redraw(); },
  unpick: () => { picked = []; redraw(); },
  publishPlan: () => note({ note: "publish", round }),
  withdrawPlan: () => note({ note: "withdraw", round }),
  printPlan: () => print(),
};

export function placesChange(event) {
  if (!event.target.closest("#draw-form") || event.target.type !== "checkbox") return;
  if (event.target.name === "fives") fives = event.target.checked;
  else avoid = event.target.checked;
  redraw();
}
