// What the buttons do: ask, send, and say what came of it.

import { redraw } from "./draw.js";
import { loadMe, noDevice, onPaper, state } from "./live.js";
import { keyed } from "./lit/directives/keyed.js";
import { html, put, sectionText, timeText } from "./text.js";
import { eventText } from "./told.js";
import { failure, list, s, say, t } from "./words.js";

const dialog = document.getElementById("dialog");

export function toast(text, bad = false) {
  const box = document.createElement("div");
  box.className = bad ? "toast bad" : "toast";
  box.textContent = text;
  document.getElementById("toasts").append(box);
  setTimeout(() => box.remove(), bad ? 9000 : 5000);
}

const LONGEST_MS = 90000; // until the service is said to be away: a standing of many tables waits for a minute after a start

export async function ask(method, path, body) {
  let answer;
  try {
    answer = await fetch(path, {
      method, headers: { "Content-Type": "application/json" }, body: body === undefined ? undefined : JSON.stringify(body), signal: AbortSignal.timeout(LONGEST_MS),
    });
  } catch {
    throw new Error(t("unreachable"));
  }
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    if (answer.status === 403) {
      await loadMe().catch(() => {});
      redraw();
    }
    throw Object.assign(new Error(said.message ?? `HTTP ${answer.status}`), { status: answer.status, code: said.code ?? said.error, values: said.values });
  }
  return said;
}

// Sends the file that was chosen in an input as it is, and empties the input.
export async function sendFile(address, input, done, refused = failure) {
  const file = input.files[0];
  if (!file) return;
  try {
    const answer = await fetch(address, { method: "POST", body: file });
    const said = await answer.json().catch(() => ({}));
    if (!answer.ok) throw Object.assign(new Error(said.message ?? `HTTP ${answer.status}`), { code: said.code ?? said.error, values: said.values });
    toast(done);
  } catch (error) {
    toast(refused(error), true);
  }
  input.value = "";
}

// Shows a form; resolves to its data and the value of the button (pressed), or null if it was cancelled.
// Where it is to be sent (save), it stays open with all that was typed until that resolves to nothing; what it resolves to is said there.
export function form(content, yes, kind = "", save = null) {
  asked = state.ordered;
  return new Promise(resolve => {
    put(dialog, html`<form method="dialog">${content}<div class="refused" role="alert"></div>
      <p class="row end"><button value="no" formnovalidate>${t("cancel")}</button>
      <button value="yes" class="main ${kind}">${yes}</button></p></form>`);
    dialog.querySelector("h2").id = "dialog-title";
    dialog.returnValue = "no";
    dialog.onclose = () => {
      const data = ["", "no"].includes(dialog.returnValue) ? null : new FormData(dialog.querySelector("form"));
      data?.set("pressed", dialog.returnValue);
      put(dialog, ""); // the next one begins with what it is given, not with what was typed here
      if (document.activeElement === document.body) document.getElementById("main").focus({ preventScroll: true });
      resolve(data);
    };
    const shown = dialog.querySelector("form");
    let sending = false;
    shown.onsubmit = !save ? null : async event => {
      if (event.submitter?.value !== "yes") return;
      event.preventDefault();
      if (sending) return;
      sending = true;
      shown.ariaBusy = "true";
      const told = await save(new FormData(shown), shown);
      sending = false;
      shown.ariaBusy = null;
      if (!shown.isConnected) return; // given up meanwhile
      if (!told) return dialog.close("yes");
      put(shown.querySelector(".refused"), typeof told === "string" ? html`<p class="warn">${told}</p>` : told);
      shown.querySelector(".refused").scrollIntoView({ block: "nearest" });
    };
    dialog.showModal();
    const first = dialog.querySelector("input, select, textarea");
    if (first) first.focus();
    // Enter must press Yes, not the first button, which is Cancel.
    dialog.querySelector("form").onkeydown = event => {
      if (event.key === "Enter" && event.target.tagName === "INPUT") {
        event.preventDefault();
        dialog.querySelector("button.main").click();
      }
    };
  });
}

// Who was told that another was faster may press again.
function orderFailure(error) {
  if (error.code !== "ordered_meanwhile") return failure(error);
  const { name, at, what, number } = error.values;
  asked = state.ordered = Math.max(state.ordered, number);
  return t("ordered_meanwhile", { name: name || say("page_saved", "somebody"), time: timeText(at), what: say("page_orders", what) });
}

// A form that stays open with all that was typed until that is sent; what the service refuses is said there.
export const sendForm = (content, yes, kind, send, told = orderFailure) => form(content, yes, kind, async data => {
  try {
    await send(data);
    return null;
  } catch (error) {
    return told(error);
  }
});

// Takes a question back whose round, table or tournament is not shown any more: its answer would go to another one.
export function takeBackForm() {
  if (dialog.open) dialog.close("no");
}

// Number of the last order that was seen here when this one was asked about: another has given such a one since if there is a later one.
let asked = 0;

async function give(table, body, name) {
  const said = await ask("POST", `/api/${encodeURIComponent(state.tournament)}/${state.round}/orders`, { table, body, since: asked });
  state.ordered = Math.max(state.ordered, said.number);
  toast(t("sent", { what: name, n: said.tables }) + (said.away.length ? ` ${t("sent_away", { n: said.away.length, tables: list(said.away) })}` : ""));
}

async function order(table, body, name) {
  try {
    await give(table, body, name);
  } catch (error) {
    toast(orderFailure(error), true);
  }
}

// Without a question before it.
function orderNow(table, body, name) {
  asked = state.ordered;
  return order(table, body, name);
}

const cards = () => [...state.cards.values()].sort((a, b) => a.table - b.table);
const away = cards => cards.filter(card => !card.connected && !noDevice(card) && !onPaper(card)).map(card => card.table);
const awayText = tables => tables.length ? html`<p class="warn">${t("away_too", { tables: list(tables) })}</p>` : "";
const players = (card, chosen) => card.players.map((name, i) => html`<option value="${i + 1}" ?selected=${chosen === i + 1}>${name}</option>`);

// Books without a playing time know no end of it.
const untimed = cards => cards.some(card => card.timed === false) ? html`<p class="warn">${s("untimed")}</p>` : "";

const duties = cards => cards.some(card => card.duty_open?.length) ? t("duties_too") : "";

export async function releaseAll() {
  const waiting = cards().filter(card => !card.released && !noDevice(card));
  const none = waiting.filter(card => card.phase === "empty").length;
  const yes = await form(html`<h2>${t("ask_release_all", { round: state.round })}</h2><p>${t("ask_release_all_more", { n: waiting.length })}</p>
    ${none ? html`<p class="warn">${t("not_yet", { n: none })}</p>` : ""}${awayText(away(waiting))}`, t("release_all"));
  if (yes) await order(null, { event: "release" }, say("page_orders", "release"));
}

export async function timeUpAll() {
  const yes = await form(html`<h2>${t("ask_time_up_all")}</h2><p>${t("ask_time_up_all_more")} ${duties(cards())}</p>${untimed(cards())}
    ${awayText(away(cards().filter(card => !card.time_up)))}`, t("time_up_all"), "danger");
  if (yes) await order(null, { event: "time_up" }, say("page_orders", "time_up"));
}

export async function release(card) {
  const yes = await form(html`<h2>${t("ask_release", { table: card.table })}</h2><p>${t("ask_release_more")}</p>${awayText(away([card]))}`, t("release"));
  if (yes) await order(card.table, { event: "release" }, say("page_orders", "release"));
}

export async function timeUp(card) {
  const yes = await form(html`<h2>${t("ask_time_up", { table: card.table })}</h2><p>${t("ask_time_up_more")} ${duties([card])}</p>${untimed([card])}${awayText(away([card]))}`, t("time_up"), "danger");
  if (yes) await order(card.table, { event: "time_up" }, say("page_orders", "time_up"));
}

export async function extra(card) {
  await sendForm(html`<h2>${t("extra_for", { table: card.table })}</h2>
    <div class="choice">${[2, 5, 10, 15].map((m, i) => html`<label><input type="radio" name="minutes" value="${m}" ?checked=${i === 1}><span>${m}</span></label>`)}</div>
    <label>${t("minutes")}<input name="other" type="number" min="1" max="180" inputmode="numeric"></label>${awayText(away([card]))}`, t("extra"), "", data => {
    const minutes = Number(data.get("other")) || Number(data.get("minutes"));
    return give(card.table, { event: "rule", offender: null, class: "none", minutes, answers: false }, t("extra"));
  });
}

export async function callTable(card) {
  const table = card ? card.table : null;
  await sendForm(html`<h2>${card ? t("call_for", { table }) : t("call_all")}</h2>
    <label>${t("call_text")}<input name="text" maxlength="200" autocomplete="off"></label>`, t("send"), "", data => give(table, { call: "director", text: data.get("text") }, say("page_orders", "call")));
}

// The table has called the referee: it hears that he is on his way.
export const refereeComes = card => orderNow(card.table, { call: "referee" }, say("page_orders", "comes"));

export const clearCall = card => orderNow(card.table, { event: "rule", offender: null, class: "none" }, t("clear_call"));

export async function rule(card) {
  const accused = card.objection?.against ?? card.offences.at(-1)?.seat ?? null;
  const named = card.offences.map(o => html`<option value="${o.event}">${say("reasons", o.code)} – ${card.players[o.seat - 1]}, ${sectionText(o.section)}</option>`);
  const choices = ["none", ...Object.keys(card.classes), "custom"].map(c => html`<option value="${c}">${say("page_classes", c)}${card.classes[c] ? ` (${sectionText(card.classes[c])})` : ""}</option>`);
  const byPlayer = (name, step) => html`<div class="row">${card.players.map((who, i) => html`<label>${who}<input name="${name}${i + 1}" type="number" step="${step}" value="0"></label>`)}</div>`;
  await sendForm(html`<h2>${t("rule_for", { table: card.table })}</h2>
    <label>${t("class")}<select name="class">${choices}</select></label>
    <label>${t("offender")}<select name="offender"><option value="">${t("nobody")}</option>
      ${card.players.map((name, i) => html`<option value="${i + 1}" ?selected=${accused === i + 1}>${name}</option>`)}</select></label>
    <label>${t("breach")}<select name="breach"><option value="">${t("last_objection")}</option>${named}</select></label>
    <label class="check"><input type="checkbox" name="harms"> ${t("harms")}</label>
    <label class="check not-custom"><input type="checkbox" name="own"> ${t("own_scores")}</label>
    <fieldset class="custom"><legend>${t("scores")}</legend>${byPlayer("score", 1)}
      <label class="check only-custom"><input type="checkbox" name="resume" checked> ${t("resume")}</label></fieldset>
    ${card.knows_money ? html`<fieldset><legend>${t("fines")}</legend>${byPlayer("fine", 0.01)}</fieldset>` : ""}
    <label>${t("rule_minutes")}<input name="minutes" type="number" min="0" max="180" value="0" inputmode="numeric"></label>
    <label>${t("why")}<input name="why" maxlength="200" autocomplete="off"></label>`, t("rule"), "", data => give(card.table, rulingOf(card, data), say("page_orders", "rule")));
}

function rulingOf(card, data) {
  const kind = data.get("class");
  const body = { event: "rule", class: kind, offender: kind === "none" || !data.get("offender") ? null : Number(data.get("offender")) };
  if (data.get("breach")) body.breach = Number(data.get("breach"));
  if (data.get("harms")) body.harms_soloist = true;
  if (Number(data.get("minutes"))) body.minutes = Number(data.get("minutes"));
  if (data.get("why")) body.why = data.get("why");
  const given = name => Object.fromEntries(card.players.map((_, i) => [String(i + 1), Number(data.get(`${name}${i + 1}`)) || 0]));
  if (kind === "custom" || (kind !== "none" && data.get("own"))) body.scores = given("score");
  if (kind === "custom") body.resume = Boolean(data.get("resume"));
  const fines = card.knows_money ? given("fine") : {};
  if (Object.values(fines).some(Boolean)) body.fines = fines;
  return body;
}

export async function leave(card) {
  await sendForm(html`<h2>${t("leave_for", { table: card.table })}</h2><label>${t("seat")}<select name="seat">${players(card, card.leave?.seat)}</select></label>
    <div class="choice"><label><input type="radio" name="granted" value="1" checked><span>${t("granted")}</span></label>
    <label><input type="radio" name="granted" value=""><span>${t("denied")}</span></label></div>`, t("send"), "", data =>
    give(card.table, { event: "leave", seat: Number(data.get("seat")), granted: Boolean(data.get("granted")) }, say("page_orders", "leave")));
}

export async function strike(card) {
  await sendForm(html`<h2>${t("strike_for", { table: card.table })}</h2>
    <label>${t("which_game")}<input name="game" type="number" min="1" max="${Math.max(1, card.game)}" required inputmode="numeric"></label>
    <label class="check"><input type="checkbox" name="replay" checked> ${t("replay")}</label>`, t("strike"), "danger", data =>
    give(card.table, { event: "strike", game: Number(data.get("game")), replay: Boolean(data.get("replay")) }, say("page_orders", "strike")));
}

// What was said, signed or ruled, put right: which word, and what it should have been.
export async function putRight(card) {
  const { spoken = [], alternatives = {}, bavarian } = state.sheet ?? {};
  const words = [...spoken].reverse();
  const told = word => eventText(word, card, bavarian);
  const kept = word => Object.fromEntries(["event", "seat"].filter(key => key in word).map(key => [key, word[key]]));
  const ruling = (word, kind, offender) => ({ ...Object.fromEntries(Object.entries(word).filter(([key]) => !["scores", "fines", "harms_soloist"].includes(key))), class: kind, offender });
  const others = word => word.event === "rule" ? [ruling(word, "none", null), ...Object.keys(card.classes).flatMap(kind => card.players.map((_, i) => ruling(word, kind, i + 1)))]
      .filter(one => one.class !== word.class || one.offender !== word.offender)
    : word.event === "deal" ? card.players.map((_, i) => ({ event: "deal", dealer: i + 1 }))
    : (alternatives[word.event] ?? []).map(keys => ({ ...kept(word), ...keys, ...(word.duty && keys.game ? { duty: true } : {}) }));
  const options = one => [
    ...(one.said.event === "deal" ? [] : [html`<option value="null">${t("not_said")}</option>`]),
    ...[one.said, ...others(one.said)].map(word => html`<option value="${JSON.stringify(word)}">${told(word)}</option>`),
  ];
  if (!words.length) return toast(t("nothing_said"), true);
  const asked = sendForm(html`<h2>${t("put_right_for", { table: card.table })}</h2>
    <label>${t("which_word")}<select name="of">${words.map(one => html`<option value="${one.event}">${one.game ? `${t("game")} ${one.game} · ` : ""}${told(one.said)}${one.word === null ? ` – ${t("not_said")}` : ""}</option>`)}</select></label>
    <label>${t("right_word")}<select name="word"></select></label>
    <label>${t("reason")}<input name="why" maxlength="200" autocomplete="off" required></label>`, t("put_right"), "danger",
    data => give(card.table, { event: "correct", of: Number(data.get("of")), word: JSON.parse(data.get("word")), why: data.get("why") }, say("page_orders", "correct")));
  const of = dialog.querySelector("[name=of]");
  const show = () => put(dialog.querySelector("[name=word]"), keyed(of.value, options(words.find(one => one.event === Number(of.value)))));
  of.onchange = show;
  show();
  await asked;
}

// What a table has decided by itself: it counts, or is taken back at once.
export async function takeHeld(element) {
  const card = state.cards.get(Number(element.dataset.table)), stands = Boolean(element.dataset.stands);
  if (!card.held) return;
  const last = card.held.last;
  const yes = await form(html`<h2>${t(stands ? "held_take" : "held_discard")}</h2><p>${t(stands ? "held_take_more" : "held_discard_more")}</p>`,
    t(stands ? "held_take" : "held_discard"), stands ? "" : "danger");
  if (!yes) return;
  try {
    const { left } = await ask("POST", `/api/${encodeURIComponent(state.tournament)}/${state.round}/${card.table}/held`, { last, stands });
    toast(left.length ? t("held_left", { n: left.length }) : t("done_held"), Boolean(left.length));
  } catch (error) {
    toast(failure(error), true);
  }
}

// Two lists of one table: one counts, the other is put by.
export async function decideRival(element) {
  const card = state.cards.get(Number(element.dataset.table)), keep = element.dataset.keep;
  if (!card.rival) return;
  const { last, chain } = card.rival;
  const [key, more] = keep === "sent" ? ["rival_keep_sent", "rival_more_sent"] : ["rival_keep_stored", "rival_more_stored"];
  const yes = await form(html`<h2>${t(key)}</h2><p>${t(more)}</p>`, t(key), "danger");
  if (!yes) return;
  try {
    await ask("POST", `/api/${encodeURIComponent(state.tournament)}/${state.round}/${card.table}/conflict`, { keep, last, chain });
    toast(t("done_rival"));
  } catch (error) {
    toast(failure(error), true);
  }
}

export async function asideAll() {
  const opened = cards().filter(card => card.opened).map(card => [card.table, card.opened]);
  const yes = await form(html`<h2>${t("ask_aside_all", { round: state.round })}</h2><p>${t("ask_aside_all_more")}</p>`, t("aside_all"), "danger");
  if (!yes) return;
  try {
    await ask("POST", `/api/${encodeURIComponent(state.tournament)}/${state.round}/aside`, opened.length ? { opened } : {});
    toast(t("done_aside_all"));
  } catch (error) {
    toast(failure(error), true);
  }
}

export async function aside(card) {
  const { opened } = card;
  const yes = await form(html`<h2>${t("ask_aside", { table: card.table })}</h2><p>${t("ask_aside_more")}</p>`, t("aside"), "danger");
  if (!yes) return;
  try {
    await ask("POST", `/api/${encodeURIComponent(state.tournament)}/${state.round}/${card.table}/aside`, opened ? { opened } : {});
    toast(t("done_aside"));
  } catch (error) {
    toast(failure(error), true);
  }
}
