// The hall: what is to do, and all tables as cards.

import { repeat } from "./lit/directives/repeat.js";
import { guard } from "./lit/directives/guard.js";
import { isHeld, noDevice, onPaper, state } from "./live.js";
import { cardText, html, sectionText, timeText } from "./text.js";
import { eventText } from "./told.js";
import { courtOf, known } from "./office.js";
import { soundHtml } from "./alert.js";
import { heldHtml, heldText } from "./held.js";
import { boardHtml } from "./notice_board.js";
import { rivalTodo, savingTodo, takeoverHtml } from "./saving.js";
import { timeTodo } from "./wall_time.js";
import { behind, gameText, paceHtml, quiet, quietText, watchHtml } from "./pace.js";
import { current, has, list, s, say, t } from "./words.js";

const names = (card, seats) => seats.map(seat => card.players[seat - 1] ?? seat);
export const orderName = body => say("page_orders", body.call === "referee" ? "comes" : body.call ? "call" : body.event);

// Why a table refused an order: its reason in the page's language, what stands in the way, and the section.
function refusalText(card, { why, reason }) {
  if (!reason || !has("reasons", reason.code)) return say("reasons", why);
  const { word, game, trick } = reason.way ?? {};
  const laid = word?.event === "card" ? `${names(card, [word.seat])[0]}: ${cardText(word.card, card.bavarian)}` : word && eventText(word, card, card.bavarian);
  const where = list([game && `${t("game")} ${game}`, trick && t("trick", { n: trick })].filter(Boolean));
  const way = [laid, where && `(${where})`].filter(Boolean).join(" ");
  return [say("reasons", reason.code), way && ` – ${way}`, reason.section && ` (${sectionText(reason.section)})`].filter(Boolean).join("");
}

// What somebody must look after at this table: [urgency, text], 3 is a referee who is waited for.
function lookedAfter(card) {
  const found = [];
  const add = (urgency, text) => found.push([urgency, text]);
  if (card.objection) {
    const who = card.objection.seat ? ` (${names(card, [card.objection.seat])[0]})` : "";
    add(3, t("referee") + who + (card.objection.code ? `: ${say("reasons", card.objection.code)}` : ""));
  }
  if (card.leave?.state === "asked") add(3, say("page_leaves", "asked", { game: say("games", card.leave.game), name: names(card, [card.leave.seat])[0] }));
  if (quiet(card)) add(2, quietText(quiet(card)));
  const court = courtOf(card.table);
  if (court) add(2, s("court_sits", { table: card.table, time: timeText(court.since) }));
  card.players.forEach((name, i) => {
    const planned = card.planned?.[i];
    if (planned && planned !== (known()?.aliases[name] ?? name) && !(card.changes ?? []).some(one => one.seat === i + 1)) add(1, s("other_name", { name, planned }));
  });
  if (card.phase === "empty" && card.mat_seats && card.planned?.length > card.mat_seats) add(3, s("small_mat", { people: card.planned.length, seats: card.mat_seats }));
  if (card.busy && card.planned?.length) add(1, t(card.busy.tournament === state.tournament ? "busy_round" : "busy_with", card.busy));
  if (card.conflict) add(3, t("conflict"));
  if (card.twice) add(3, t("twice"));
  if (card.held) add(3, heldText(card.held));
  if (card.trouble) add(3, t("trouble"));
  const status = card.status ?? {};
  if (status.line) add(3, say("page_line", status.line));
  if (status.storage) add(3, t(status.storage === "sent" ? "storage_sent" : "storage_kept"));
  else if (status.unsaved) add(3, t("unsaved"));
  if (status.rescued) add(2, t("rescued"));
  if (noDevice(card)) add(1, say("page_lists", "no_device"));
  else if (!card.connected && !card.closed && !card.paper) add(2, card.since ? t("away_since", { time: timeText(card.since) }) : t("never"));
  if (status.referee && !card.objection) {
    const who = status.called_by ? ` (${names(card, [status.called_by])[0]})` : "";
    add(status.coming ? 1 : 3, t(status.coming ? "referee_comes" : "referee") + who);
  }
  if (status.camera) add(2, `${t("blind")}: ${say("notices", status.camera)}`);
  for (const refused of card.refused) add(2, t("refused", { what: orderName(refused.body), why: refusalText(card, refused) }));
  for (const offence of card.offences ?? []) add(2, `${say("reasons", offence.code)} – ${names(card, [offence.seat])[0]} (${sectionText(offence.section)})`);
  if (card.paused) add(0, t({ stands: "paused_stands", runs: "paused_runs" }[card.paused] ?? "paused_none"));
  if (card.mended) add(0, say("page_lists", "n_mended", { n: card.mended }));
  for (const order of card.paper || noDevice(card) ? [] : card.pending) add(1, t("underway", { what: orderName(order.body) }));
  if (card.doubts) add(1, t("doubts", { n: card.doubts }));
  if (card.phase === "over" && !card.closed) {
    if (card.duty_open.length) add(2, t("duty", { names: list(names(card, card.duty_open)) }));
    if (card.open_rows.length) add(2, t("open_rows", { games: list(card.open_rows) }));
    const unsigned = card.players.map((_, i) => i + 1).filter(seat => !card.signed.includes(seat));
    const lacking = card.sign_anew ? "unsigned_anew" : "unsigned";
    add(1, unsigned.length ? t(lacking, { names: list(names(card, unsigned)) }) : t("not_closed"));
  } else if (card.must_play) add(0, t("must_play", { name: names(card, [card.must_play])[0] }));
  else if (card.time_up && card.duty_open?.length) add(1, t("duty", { names: list(names(card, card.duty_open)) }));
  return found.sort((a, b) => b[0] - a[0]);
}

export function phaseText(card) {
  if (card.closed) return t("closed");
  if (noDevice(card)) return say("page_lists", "on_paper");
  if (card.phase === "empty") return t("empty");
  if (card.phase === "waiting") return t("not_released");
  if (card.phase === "paper" || onPaper(card)) return say("page_lists", "on_paper");
  const own = `${card.phase}_schafkopf`;
  return say("phases", card.bavarian && has("phases", own) ? own : card.phase);
}

export const progress = card => card.games_left === null || card.games_left === undefined ? ""
  : card.games_left === 0 ? t(card.time_up ? "no_more_games" : "no_games_left") : t("games_left", { n: card.games_left });

// The same for the same card, in the same language: asked several times a drawing, worked out once a message.
const found = new WeakMap();
export function needs(card) {
  const kept = found.get(card);
  if (kept && kept.language === current() && kept.setup === known() && kept.quiet === quiet(card)) return kept.needs;
  const fresh = { language: current(), setup: known(), quiet: quiet(card), needs: lookedAfter(card) };
  found.set(card, fresh);
  return fresh.needs;
}

const LONG = 18; // letters of a name, and of a mark beside it, from which it is written smaller rather than cut
const whoHtml = (name, mark = "") => html`<span class="who ${name.length + mark.length > LONG ? "lengthy" : ""}" title="${name}">${name}</span>`;

function playersHtml(card, planned) {
  if (planned) return card.planned.map(name => html`<li>${whoHtml(name)}</li>`);
  return card.players.map((name, i) => {
    const seat = i + 1;
    const mark = card.substitutes?.includes(seat) ? s("substitute_mark") : "";
    return html`<li>${whoHtml(name, mark)}
      ${card.dealer === seat && card.phase !== "over" && !onPaper(card) ? html`<span class="mark dealer" title="${t("dealer_mark")}">G</span>` : ""}
      ${card.duty_open?.includes(seat) ? html`<span class="mark duty" title="${t("duty_mark")}">P</span>` : ""}
      ${mark && html`<span class="tag">${mark}</span>`}
      ${card.signed?.includes(seat) ? html`<span class="mark signed">✓</span>` : ""}
      <span class="total">${card.totals?.[i] ?? ""}</span></li>`;
  });
}

// At most two lines, always with the room of two, so that cards keep their places; all of them stand on the table's page.
function needsHtml(urgent) {
  const more = urgent.length - 2;
  return html`<ul class="needs">${urgent.slice(0, 2).map(([u, text], i) => html`<li class="u${u}" title="${text}"><span>${text}</span>${i && more > 0 ? html` <b>+${more}</b>` : ""}</li>`)}</ul>`;
}

function cardHtml(card) {
  const urgent = needs(card);
  const kind = { 3: "alarm", 2: "attention" }[urgent[0]?.[0]] ?? (card.closed ? "done" : "");
  const planned = card.phase === "empty" && card.planned?.length > 0;
  const game = ["empty", "waiting", "over", "paper"].includes(card.phase) || onPaper(card) ? ""
    : html`<span><b>${t("game")} ${card.game}</b>${card.trick && card.phase === "playing" ? ` · ${t("trick", { n: card.trick })}` : ""}</span>`;
  const line = card.connected ? t("connected") : t("away_since", { time: timeText(card.since) });
  return html`<a class="card ${kind}" href="#/${state.round}/${card.table}" data-table="${card.table}">
    <div class="head"><span class="number"><span class="unseen">${t("table")} </span>${card.table}</span>
      <span class="phase">${phaseText(card)}${card.kind && card.kind !== "normal" && !onPaper(card) ? html`<br><b>${say("games", card.kind)}</b>` : ""}</span>
      <span class="clock" data-clock="${card.table}"></span>
      ${onPaper(card) || noDevice(card) ? "" : html`<span class="dot ${card.connected ? "on" : "off"}" role="img" aria-label="${line}" title="${line}"></span>`}</div>
    <ol class="players ${planned ? "planned" : ""}">${playersHtml(card, planned)}</ol>
    <div class="foot">${game}<span>${progress(card)}</span>${gameText(card) ? html`<span class="quiet">${gameText(card)}</span>` : ""}</div>${needsHtml(urgent)}</a>`;
}

// Tables whose list on paper is the last that the round waits for.
function toTypeIn(cards) {
  const open = cards.filter(card => !card.closed);
  const last = open.length < cards.length && open.every(card => noDevice(card) || onPaper(card));
  return last ? open.map(({ table }) => ({ u: 2, text: say("page_lists", "to_type_in"), table })) : [];
}

// What the direction does next, once all lists of the round are handed in.
function nextHtml(cards) {
  const setup = known(), next = state.round + 1;
  if (!setup || !state.me.director || !isHeld() || !cards.every(card => card.closed) || state.round < state.me.now) return "";
  if (next > setup.rounds) return html`<li class="u1"><a href="#/standings">${t("all_over")}</a></li>`;
  return setup.plans[next]?.published ? "" : html`<li class="u1"><a href="#/setup/places/${next}">${t("next_draw", { round: state.round, next })}</a></li>`;
}

function todoHtml(cards) {
  const next = nextHtml(cards), waiting = heldHtml(), unsaved = savingTodo(), rival = rivalTodo(), time = timeTodo();
  const todo = cards.flatMap(card => needs(card).filter(([u]) => u >= 2).map(([u, text]) => ({ u, text, table: card.table }))).concat(behind(cards), toTypeIn(cards))
    .sort((a, b) => b.u - a.u || a.table - b.table);
  return html`<section class="todo" aria-labelledby="todo"><div class="top"><h2 id="todo">${t("todo")}</h2>${soundHtml()}${watchHtml()}</div>
    ${todo.length || next || waiting || unsaved || time || rival ? html`<ul>${rival}${unsaved}${time}${next}${waiting}${repeat(todo, one => `${one.table} ${one.text}`, one => html`<li class="u${one.u}"><a href="#/${state.round}/${one.table}"><b>${t("table")} ${one.table}</b> ${one.text}</a></li>`)}</ul>`
      : html`<p class="quiet">${t("nothing_to_do")}</p>`}</section>`;
}

function summaryHtml(cards) {
  const count = what => cards.filter(what).length;
  const waiting = count(card => card.phase === "waiting");
  const done = count(card => card.closed);
  return html`<div class="summary"><span>${t("n_tables", { n: cards.length })}</span><span>${t("n_connected", { n: count(card => card.connected) })}</span>
    <span>${t("n_playing", { n: count(card => !["empty", "waiting", "over", "paper"].includes(card.phase) && !onPaper(card)) })}</span>
    ${waiting ? html`<span class="warn">${t("n_waiting", { n: waiting })}</span>` : ""}
    ${done ? html`<span>${t("n_done", { n: done })}</span>` : ""}${paceHtml(cards)}
    ${cards.some(card => card.phase !== "empty") ? html`<a href="/api/${encodeURIComponent(state.tournament)}/${state.round}/lists.pdf?language=${current()}">${t("all_lists")}</a>` : ""}</div>`;
}

// The buttons for the whole round; a book without a playing time has no end of it.
function buttonsHtml(cards) {
  const waiting = cards.some(card => !card.released && !noDevice(card) && !card.pending.some(order => order.body.event === "release"));
  const running = cards.some(card => card.released && card.timed !== false && !card.time_up && !card.closed);
  return html`<div class="buttons">
    ${waiting ? html`<button data-do="releaseAll" class="main">${t("release_all")}</button>` : ""}
    ${running ? html`<button data-do="timeUpAll" class="danger">${t("time_up_all")}</button>` : ""}
    ${cards.every(card => noDevice(card) || onPaper(card)) ? "" : html`<button data-do="callAll">${t("call_all")}</button>`}</div>`;
}

export function hallHtml() {
  const cards = [...state.cards.values()].sort((a, b) => a.table - b.table);
  const directs = state.me.director && isHeld();
  return html`<div class="bar"><h1>${t("round")} ${state.round}</h1>${summaryHtml(cards)}${directs && cards.length ? buttonsHtml(cards) : ""}</div>
    ${cards.length ? html`<div class="hall">${todoHtml(cards)}
      <section class="grid" aria-label="${t("tables")}">${repeat(cards, card => card.table, card => guard([card, quiet(card), current(), known(), state.round], () => cardHtml(card)))}</section></div>
      ${directs ? boardHtml() : ""}
      ${directs && cards.some(card => card.events) ? html`<p class="bottom"><button data-do="asideAll" class="danger">${t("aside_all")}</button></p>` : ""}`
    : html`<section class="blank"><h2>${t("no_tables")}</h2><p>${t("no_tables_more")}</p>${takeoverHtml()}
      ${isHeld() ? html`<p><a href="#/setup/people">${s("to_setup")}</a></p>` : ""}</section>`}`;
}
