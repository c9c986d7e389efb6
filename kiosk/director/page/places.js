// Who sits where: the draw of a round, put right by hand, brought to the tables, printed.

import { ask, toast } from "./actions.js";
import { named } from "./desk.js";
import { drawNow, redraw } from "./draw.js";
import { impossibleText, known, note, peopleText, refusal, whenAnother } from "./office.js";
import { printSeatCards } from "./labels.js";
import { undoButton } from "./mending.js";
import { may, state } from "./live.js";
import { unsaved } from "./overtaken.js";
import { html, sectionText } from "./text.js";
import { current, joined, list, s, say, t } from "./words.js";
import { repeat } from "./lit/directives/repeat.js";
import { wishesHtml } from "./wishes.js";

// Above so many tables a name is looked for, and the plan is printed smaller.
const MANY = 44;

let wanted = "", picked = [], round = 0, fives = null, kind = null, drawing = false;
whenAnother(() => { wanted = ""; [picked, round, fives, kind] = [[], 0, null, null]; });

export const p = (code, fill) => say("page_draws", code, fill);

// The first round that the tables do not have yet.
const nextRound = setup => {
  for (let number = 1; number <= setup.rounds; number++) if (!setup.plans[number]?.published) return number;
  return setup.rounds;
};

function tablesText(sizes) {
  const count = size => sizes.filter(one => one === size).length;
  return joined([["n_fours", count(4)], ["n_fives", count(5)]].filter(([, n]) => n).map(([code, n]) => s(code, { n })), "and");
}

// Kinds of draws that the book leaves, in a round before which something was played or not.
export const kindsOf = (planned, number) => ["lot", "company", "standing", "snake", "final"]
  .filter(one => one === "lot" || (number > 1 && !(one === "company" && planned.seating.lot_alone)));

function possibleHtml(setup, planned) {
  const n = setup.present.length, subs = setup.substitutes_present.length;
  const possible = planned.possible[(fives ?? planned.fives_wanted) ? "fives" : "fours"];
  const absent = setup.people.filter(one => !one.substitute && !one.gone && !setup.present.includes(one.name)).map(one => one.name);
  return html`<p class="${possible.sizes ? "" : "warn"}" id="possible">${possible.sizes ? s("possible", { people: peopleText(n, possible.filling), tables: tablesText(possible.sizes) }) : impossibleText(n, subs, possible)}</p>
    ${absent.length ? html`<p class="quiet">${s("absent", { names: list(absent) })}</p>` : ""}
    ${round > 1 && planned.seating.lot_alone ? html`<p class="quiet">${s("lot_alone", { section: sectionText(planned.seating.lot_alone) })}</p>` : ""}`;
}

function drawFormHtml(setup, planned, plan) {
  const seating = planned.seating, chosen = kind ?? planned.kind;
  return html`<form id="draw-form" class="fields"><label class="grow">${p("kind")}<select name="kind">${kindsOf(planned, round).map(one => html`<option value="${one}" ?selected=${one === chosen}>${p(`kind_${one}`)}</option>`)}</select></label>
    ${chosen === "final" ? html`<label>${p("finalists")}<input name="finalists" type="number" inputmode="numeric" min="4" max="1000" value="${planned.finalists || 4}"></label>` : ""}
    <label>${s("seed")}<input name="seed" maxlength="40" autocomplete="off"></label>
    ${planned.tables.includes(5) ? html`<label class="check"><input type="checkbox" name="fives" ?checked=${fives ?? planned.fives_wanted}> ${seating.fives_section ? s("fives_section", { section: sectionText(seating.fives_section) }) : s("fives")}</label>` : ""}
    <button type="button" data-do="drawSeats" ?disabled=${drawing} class="${plan ? "" : "main"}">${drawing ? p("drawing") : plan ? s("draw_again") : s("draw_it")}</button></form>
    ${wishesHtml(setup)}`;
}

// What is to be said of a plan: how it was drawn, who meets again, who could not be kept apart.
function saidHtml(plan) {
  const pair = names => names.join(" + ");
  return html`<p class="quiet">${plan.seed ? s("drawn", { seed: plan.seed }) : ""}${plan.kind ? ` (${p(`kind_${plan.kind}`)})` : ""}${plan.mended ? ` · ${s("mended")}` : ""}
      ${plan.drawn >= 0 && plan.kind ? html`<button type="button" data-do="proveDraw" data-number="${plan.drawn}" class="slim">${p("prove")}</button>` : ""}
      ${state.me.director && plan.drawn >= 0 && !plan.published ? undoButton(plan.drawn, s("draw", { round })) : ""}
      ${round > 1 ? html`<br>${plan.met_again.length ? s("met", { n: plan.met_again.length }) : s("met_none")}` : ""}</p>
    ${plan.together.length ? html`<p class="warn">${p("together", { pairs: plan.together.map(pair).join(", ") })}</p>` : ""}
    ${plan.moved.length ? html`<p class="warn">${p("moved", { names: list(plan.moved) })}</p>` : ""}
    ${plan.finalists.length ? html`<p>${p("final_of", { names: list(plan.finalists) })}</p>` : ""}`;
}

const actionsHtml = (plan, open, begun) => html`<p class="${plan.published ? "quiet" : "warn"}">${plan.published ? s("published") : s("not_published")}</p>
  <p class="row">${!open ? "" : plan.published ? begun.size ? "" : html`<button data-do="withdrawPlan">${s("withdraw")}</button>` : html`<button data-do="publishPlan" class="main">${s("publish")}</button>`}
    <button data-do="printPlan">${s("print")}</button>${may("enter") ? html`<button data-do="seatCards">${say("page_labels", "seats")}</button>` : ""}</p>`;

// Where many sit, a name is looked for: its table is shown alone.
const findHtml = plan => Object.keys(plan.seats).length <= MANY / 4 ? "" : html`<p class="fields"><label class="grow">${say("page_people", "find")}
  <input type="search" id="find" autocomplete="off" spellcheck="false" .value=${wanted} @input=${event => { wanted = event.target.value; redraw(); }}></label></p>`;

export function placesHtml() {
  const setup = known();
  if (!setup) return "";
  if (!round || round > setup.rounds) round = nextRound(setup);
  const planned = setup.by_round[round], seating = planned.seating, plan = setup.plans[round], open = state.me.director;
  const tabs = Array.from({ length: setup.rounds }, (_, i) => i + 1);
  const substitutes = new Set(setup.people.filter(one => one.substitute).map(one => one.name));
  const begun = new Set([...state.cards.values()].filter(card => state.round === round && card.events).map(card => card.table));
  const seat = (name, number, fixed) => html`<li><span class="seat">${number}</span>
    ${open && !fixed ? html`<button data-do="pick" data-name="${name}" class="name ${picked.includes(name) ? "picked" : ""}">${name}</button>` : html`<span class="name">${name}</span>`}
    ${substitutes.has(name) ? html`<span class="tag">${s("substitute_mark")}</span>` : ""}</li>`;
  const places = plan ? Object.entries(plan.seats).flatMap(([table, names]) => names.map((name, i) => [name, table, i + 1])) : [];
  const movable = plan && Object.keys(plan.seats).some(table => !begun.has(Number(table)));
  const section = round > 1 && seating.lot_alone || seating.section;
  const missing = plan?.missing.filter(name => !begun.size || !begun.has(Number(places.find(([one]) => one === name)?.[1]))) ?? [];
  return html`<section class="panel" id="set-draw"><h2>${s("draw", { round })}${section ? html` <small>${s("by_section", { section: sectionText(section) })}</small>` : ""}${planned.rules ? html` <span class="tag">${planned.title}</span>` : ""}</h2>
    <nav class="tabs">${tabs.map(one => html`<button data-do="drawRound" data-round="${one}" class="${one === round ? "here" : ""}">${t("round")} ${one}${setup.plans[one]?.published ? " ✓" : ""}</button>`)}</nav>
    ${plan?.published ? "" : possibleHtml(setup, planned)}
    ${open && !plan?.published ? drawFormHtml(setup, planned, plan) : ""}
    ${!plan ? "" : html`<div class="plan ${Object.keys(plan.seats).length > MANY ? "many" : ""}" id="plan"><h2 class="print">${setup.name} – ${s("draw", { round })}</h2>
      ${saidHtml(plan)}
      ${plan.unseated.length ? html`<p class="warn">${s("unseated", { names: list(plan.unseated) })}</p>` : ""}
      ${missing.length ? html`<p class="warn">${s("seated_missing", { names: list(missing) })}</p>` : ""}
      ${open && movable && (plan.unseated.length || missing.length) ? html`<p class="row"><button data-do="reseat" class="main">${p("reseat")}</button><span class="quiet">${p("reseat_why")}</span></p>` : ""}
      ${actionsHtml(plan, open, begun)}${findHtml(plan)}
      <div class="tables">${repeat(Object.entries(plan.seats).filter(([, names]) => names.some(name => named(name, wanted))), ([table]) => `${round} ${table}`, ([table, names]) => html`<div class="seated" data-seated="${table}"><h3>${s("table", { table })}${begun.has(Number(table)) ? html` <small>${s("begun")}</small>` : ""}</h3>
        ${names.length > setup.mats[table] && !begun.has(Number(table)) ? html`<p class="warn">${s("small_mat", { people: names.length, seats: setup.mats[table] })}</p>` : ""}
        <ol>${names.map((name, i) => seat(name, i + 1, begun.has(Number(table))))}</ol></div>`)}
        ${plan.unseated.length && open ? html`<div class="seated"><h3>–</h3><ol>${plan.unseated.map(name => seat(name, "", false))}</ol></div>` : ""}</div>
      ${open && movable ? html`<p class="row ${picked.length ? "bulk" : ""}">${picked.length === 2 ? html`<button data-do="swapSeats" class="main">${s("swap", { one: picked[0], other: picked[1] })}</button>` : html`<span class="quiet">${s("swap_hint")}</span>`}
        ${picked.length ? html`<button data-do="unpick">${s("unpick")}</button>` : ""}</p>` : ""}
      <div class="by-name"><h3>${s("by_name")}<span class="in-figures" aria-hidden="true"> (${say("page_people", "in_figures")})</span></h3><ul>${places.filter(([name]) => named(name, wanted)).sort((a, b) => a[0].localeCompare(b[0], current())).map(([name, table, number]) => html`<li><b>${name}</b> <span class="in-words">${s("place", { table, seat: number })}</span><span class="in-figures" aria-hidden="true">${table} · ${number}</span></li>`)}</ul></div></div>`}</section>`;
}

// Turns to a round by the page's address; without one the last one stays.
export function chooseRound(number) {
  if (number) [round, picked, kind, fives] = [number, [], null, null];
}

// What the page shows is what is drawn anew: if somebody else has drawn meanwhile, the service says so.
async function drawSeats() {
  if (unsaved("seat_wishes")) return;
  const data = document.getElementById("draw-form").elements;
  const body = { note: "draw", round, kind: data.kind.value, seed: data.seed.value, seen: seen() };
  if (data.fives) body.fives = data.fives.checked;
  if (data.finalists?.value) body.finalists = Number(data.finalists.value);
  picked = [];
  drawing = true;
  redraw();
  await note(body);
  drawing = false;
  redraw();
}

const seen = () => known().plans[round]?.changed ?? -1;

const reseat = () => note({ note: "reseat", round, seen: seen() }, p("reseated"));

async function proveDraw(element) {
  try {
    const said = await ask("GET", `/api/${encodeURIComponent(state.me.tournament)}/draws/${element.dataset.number}`);
    toast(p(said.proved ? "proved" : "disproved", { seed: said.wish.seed }), !said.proved);
  } catch (error) {
    toast(refusal(error), true);
  }
}

function pick(element) {
  const name = element.dataset.name;
  picked = picked.includes(name) ? picked.filter(one => one !== name) : [...picked.slice(-1), name];
  redraw();
}

async function swapSeats() {
  const [one, other] = picked;
  if (await note({ note: "swap", round, one, other, seen: seen() })) picked = [];
  redraw();
}


export const placesButtons = {
  drawSeats, pick, swapSeats, reseat, proveDraw,
  drawRound: element => { round = Number(element.dataset.round); picked = []; kind = null; fives = null; redraw(); },
  unpick: () => { picked = []; redraw(); },
  publishPlan: () => note({ note: "publish", round, seen: seen() }),
  withdrawPlan: () => note({ note: "withdraw", round, seen: seen() }),
  printPlan: () => { wanted = ""; drawNow(); print(); },
  seatCards: () => printSeatCards(round),
};

export function placesChange(event) {
  if (!event.target.closest("#draw-form")) return;
  if (event.target.name === "fives") fives = event.target.checked;
  else if (event.target.name === "kind") kind = event.target.value;
  redraw();
}
