// Entry fees and prizes: what comes in, who gets what as it stands, prizes given, receipts.

import { ask, form, toast } from "./actions.js";
import { euros } from "./cash.js";
import { loader } from "./loaded.js";
import { may, state } from "./live.js";
import { noting, refusal } from "./office.js";
import { undoButton } from "./mending.js";
import { overtakenHtml, saveWhole, unsaved, whole } from "./overtaken.js";
import { html } from "./text.js";
import { current, list, say } from "./words.js";

const path = () => `/api/${encodeURIComponent(state.tournament)}`;
const { held, refresh } = loader(() => state.tournament && may("cash") && `${path()}/prizes.json`);
export { refresh };

const w = (code, fill) => say("page_prizes", code, fill);
const plain = cents => cents ? (cents / 100).toFixed(2).replace(/[.]00$/, "").replace(".", say("numbers", "decimal")) : "";
const percent = share => `${String(share / 100).replace(".", say("numbers", "decimal"))} %`;

// A prize as it is written: "1 = 40 %", "2 = 50", "3 = Schinken".
const prizeText = one => `${one.place} = ${[one.share ? percent(one.share) : "", one.cents ? `${plain(one.cents)} €` : "", one.thing].filter(Boolean).join(" + ")}`;

const number = text => /^\d{1,6}(?:[.,]\d{1,2})?$/.test(text) ? Math.round(Number(text.replace(",", ".")) * 100) : null;

function prizesOf(line) {
  const [, place, rest] = /^(\d{1,3})\s*[.=:]\s*(.+)$/.exec(line) ?? [];
  if (!place) return null;
  return rest.split("+").map(part => part.trim()).filter(Boolean).map(part => {
    const one = { place: Number(place), share: 0, cents: 0, thing: "" };
    const share = /^(.*?)\s*%$/.exec(part), amount = number(part.replace(/\s*€$/, ""));
    if (share && number(share[1]) !== null) return { ...one, share: number(share[1]) };
    if (amount !== null) return { ...one, cents: amount };
    return { ...one, thing: part };
  });
}

function awardsHtml(division) {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${w("prizes")}"><table class="list"><thead><tr><th class="n">${say("ranking", "place")}</th><th class="k">${say("ranking", "name")}</th><th class="p">${w("amount")}</th><th class="k">${w("thing")}</th></tr></thead>
    <tbody>${division.awards.map(one => html`<tr><th class="n">${one.place}</th><td class="k">${one.name}</td><td class="p">${one.cents ? euros(one.cents) : ""}</td><td class="k">${list(one.things)}</td></tr>`)}</tbody></table></div>
    <dl class="sums"><dt>${w("income")}</dt><dd>${euros(division.income)}</dd><dt>${w("all_prizes")}</dt><dd>${euros(division.awards.reduce((sum, one) => sum + one.cents, 0))}</dd>
      <dt>${w("reserve")}</dt><dd>${euros(division.reserve)}</dd><dt>${w("rest")}</dt><dd class="${division.rest < 0 ? "warn" : ""}">${euros(division.rest)}</dd></dl>
    ${division.lots.map(names => html`<p class="note">${w("thing_lot", { names: list(names) })}</p>`)}`;
}

const purseFields = data => html`<label>${w("fee")}<input name="fee" inputmode="decimal" autocomplete="off" .defaultValue=${plain(data.fee)}></label>
    <label>${w("gift")}<input name="gift" inputmode="decimal" autocomplete="off" .defaultValue=${plain(data.gift)}></label>
    <label>${w("reserve_share")}<input name="reserve_share" inputmode="decimal" autocomplete="off" .defaultValue=${plain(data.reserve_share)}></label>
    <label>${w("reserve_cents")}<input name="reserve_cents" inputmode="decimal" autocomplete="off" .defaultValue=${plain(data.reserve_cents)}></label>
    <label class="grow wide">${w("prizes")}<textarea name="prizes" rows="5" .defaultValue=${data.prizes.map(prizeText).join("\n")}></textarea><small>${w("prizes_hint")}</small></label>`;

const purseHtml = data => html`<form id="purse-form" data-whole="purse" class="fields setup-fields">${purseFields(data)}
    <button type="button" data-do="savePurse" class="${data.prizes.length ? "" : "main"}">${w("save")}</button>${overtakenHtml("purse")}</form>`;

export function prizesHtml() {
  if (!may("cash")) return html`<section class="blank"><h1>${w("title")}</h1><p>${say("page", "cash_pin")}</p></section>`;
  const data = held.data;
  if (!data) return html`<section class="blank"><h1>${w("title")}</h1><p>${held.failed}</p></section>`;
  const given = data.given, open = state.me.director && state.tournament === state.me.tournament;
  return html`<section class="columns setup"><div class="panel"><h1>${w("title")}</h1>
      ${data.fee || data.gift ? html`<p class="note">${w("payers", { n: data.payers })}${data.unpaid.length ? html` <b class="warn">${w("unpaid", { n: data.unpaid.length, names: list(data.unpaid) })}</b>` : ""}</p>` : ""}
      ${open && !given ? purseHtml(data) : ""}
      ${data.now.rest < 0 ? html`<p class="warn">${w("too_much", { euros: euros(-data.now.rest) })}</p>` : ""}
      ${!data.prizes.length && !given ? html`<p>${w("none")}</p>` : given ? html`<h2>${w("given")}</h2>${awardsHtml(given)}${open ? undoButton(given.number, w("given")) : ""}`
        : html`<h2>${w(data.final ? "as_final" : "as_now")}</h2>${awardsHtml(data.now)}`}
      ${given && JSON.stringify(given.awards) !== JSON.stringify(data.now.awards) && data.final && !given.lots.length ? html`<p class="warn">${w("changed_since")}</p>` : ""}
      ${open && !given && data.now.awards.length ? html`<p class="row"><button data-do="award" class="main" ?disabled=${!data.final || data.now.rest < 0}>${w("award")}</button>${data.final ? "" : html`<span class="quiet">${w("not_final")}</span>`}</p>` : ""}</div>
    <div class="side"><div class="panel"><h2>${w("box")}</h2><p class="${data.closed ? "" : "quiet"}">${data.closed ? w("closed") : w("not_closed")}</p>
      <p><a href="#/cash">${say("cash", "title")}</a></p>
      <p class="take"><a href="${path()}/receipts.pdf?language=${current()}">${w("receipts")}</a></p></div></div></section>`;
}

async function savePurse(over) {
  const data = document.getElementById("purse-form").elements;
  const lines = data.prizes.value.split("\n").map(line => line.trim()).filter(Boolean);
  const odd = lines.find(line => !prizesOf(line));
  const amounts = Object.fromEntries(["fee", "gift", "reserve_share", "reserve_cents"].map(key => [key, number(data[key].value.replace(/[€%\s]/g, "") || "0")]));
  const wrong = Object.entries(amounts).find(([, cents]) => cents === null);
  if (odd || wrong) return toast(w("odd", { text: odd ?? data[wrong[0]].value }), true);
  await saveWhole("purse", { note: "purse", ...amounts, prizes: lines.flatMap(prizesOf) }, w("saved"), over);
  refresh(true);
}
whole("purse", { form: "purse-form", saved: () => held.data?.saved, last: () => held.data?.last, fields: () => purseFields(held.data), send: noting, load: () => refresh(true), save: savePurse });

async function award() {
  if (unsaved("purse")) return;
  const seen = held.data.now;
  const yes = await form(html`<h2>${w("award")}</h2><p>${w("award_why")}</p>`, w("award"));
  if (!yes) return;
  try {
    await ask("POST", `${path()}/award`, { seen });
    toast(w("awarded"));
  } catch (error) {
    toast(refusal(error), true);
  }
  refresh(true);
}

export const prizesButtons = { savePurse: () => savePurse(), award };
