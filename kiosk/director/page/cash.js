// The cash book: what rulings and coming late cost, who still pays whom, and payments noted by a button.

import { ask, form, sendForm, toast } from "./actions.js";
import { loader } from "./loaded.js";
import { may, state } from "./live.js";
import { html, timeText } from "./text.js";
import { current, failure, locale, say, t } from "./words.js";

const path = () => `/api/${encodeURIComponent(state.tournament)}`;
const { held, refresh } = loader(() => state.tournament && may("cash") && `${path()}/cash.json?language=${current()}`);
export { refresh };

const word = key => say("cash", key);
const who = name => name ?? word("club");
const file = kind => `${path()}/cash.${kind}?language=${current()}`;
// Shown only; sums are made by the service in whole cents.
export const euros = cents => new Intl.NumberFormat(locale(), { style: "currency", currency: "EUR" }).format(cents / 100);

// What the box takes in or pays out in all, and how much of it has happened: the same words as on paper.
const clubText = ({ due, paid }) => say("cash", "in_club", {
  due: say("cash", due >= 0 ? "club_gets" : "club_pays", { euros: euros(Math.abs(due)) }),
  paid: say("cash", paid >= 0 ? "club_got" : "club_paid", { euros: euros(Math.abs(paid)) }),
});

export function cashHtml() {
  if (!may("cash")) return html`<section class="blank"><h1>${t("cash")}</h1><p>${t("cash_pin")}</p></section>`;
  const data = held.data;
  if (!data) return html`<section class="blank"><h1>${t("cash")}</h1><p>${held.failed}</p></section>`;
  const late = !data.late_fines ? "" : html`<p class="note">${data.start ? t("late_from", { time: data.start }) : t("late_no_start")}</p>`;
  if (!data.entries.length) return html`<section class="panel"><h1>${word("title")}</h1>${late}<p>${word("empty")}</p></section>`;
  const mine = state.tournament === data.tournament;
  return html`<section class="columns cash"><div class="panel"><h1>${word("title")}</h1>${late}<div class="scroll" tabindex="0" role="group" aria-label="${t("cash")}"><table class="list"><thead><tr>
      <th class="k">${word("time")}</th><th class="k who">${word("who")} → ${word("whom")}</th><th class="k what">${word("what")}</th>
      <th class="p">${word("debt")}</th><th class="p">${word("paid")}</th><th class="p">${word("balance")}</th></tr></thead><tbody>
      ${data.entries.map(one => html`<tr class="${one.kind}"><td class="k">${one.at ? timeText(one.at) : ""}</td><td class="k who">${who(one.payer)} → ${who(one.payee)}</td>
        <td class="k what">${one.table ? html`<a href="#/${one.round}/${one.table}">${one.text}</a>` : one.text}</td>
        <td class="p">${one.kind === "debt" ? euros(one.cents) : ""}</td><td class="p">${one.kind === "paid" ? euros(one.cents) : ""}</td><td class="p sum">${euros(one.balance)}</td></tr>`)}</tbody></table></div>
    <p class="legend">${clubText(data.club)}</p>
    <p class="take">${t("take")}: <a href="${file("pdf")}">${t("as_pdf")}</a><a href="${file("txt")}">${t("as_text")}</a><a href="${file("csv")}">${t("as_csv")}</a></p></div>
    <div class="side"><div class="panel"><h2>${word("still")}</h2>${data.open.length ? html`<ul class="debts">${data.open.map(one => html`<li><span><b>${who(one.payer)}</b> → ${who(one.payee)}</span>
      <b>${euros(one.cents)}</b>${mine ? html`<button data-do="pay" data-payer="${one.payer ?? ""}" data-payee="${one.payee ?? ""}">${t("has_paid")}</button>` : ""}</li>`)}</ul>` : html`<p>${word("nothing")}</p>`}</div>
    <div class="panel"><h2>${word("people")}</h2><div class="scroll" tabindex="0" role="group" aria-label="${t("cash")}"><table class="list"><thead><tr>${["name", "pays", "gets", "owes"].map((key, i) => html`<th class="${i ? "p" : "k"}">${word(key)}</th>`)}</tr></thead><tbody>
      ${data.people.map(one => html`<tr><td class="k">${one.name}</td><td class="p">${euros(one.pays)}</td><td class="p">${euros(one.gets)}</td><td class="p sum">${euros(one.owes)}</td></tr>`)}</tbody></table></div></div>
    ${data.payments.length ? html`<div class="panel"><h2>${t("payments")}</h2><ul class="debts">${data.payments.map(one => html`<li><span><b>${who(one.payer)}</b> → ${who(one.payee)} <span class="quiet">${timeText(one.at)}</span></span>
      <b>${euros(one.cents)}</b><button data-do="takeBack" data-payment="${one.number}">${t("take_back")}</button></li>`)}</ul></div>` : ""}</div></section>`;
}

export async function pay(element) {
  const { payer, payee } = element.dataset; // who is on the line that was pressed: the list may have grown since
  const debt = held.data?.open.find(one => (one.payer ?? "") === payer && (one.payee ?? "") === payee);
  if (!debt) return;
  let owed = debt.cents;
  const full = (debt.cents / 100).toFixed(2).replace(".", say("numbers", "decimal"));
  await sendForm(html`<h2>${t("ask_paid", { who: who(debt.payer), whom: who(debt.payee) })}</h2>
    <label>${t("amount")}<input name="euros" inputmode="decimal" autocomplete="off" value="${full}" required></label>`, t("has_paid"), "", async data => {
    const [, whole, part = ""] = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(data.get("euros").replace(/[€\s]/g, "")) ?? [];
    if (whole === undefined) throw new Error(t("no_amount", { text: data.get("euros") }));
    const cents = Number(whole) * 100 + Number(part.padEnd(2, "0"));
    await ask("POST", `${path()}/paid`, { payer: debt.payer, payee: debt.payee, cents, owed });
  }, error => {
    if (error.code === "debt_meanwhile") owed = error.values.cents; // who was told may press again
    return refused(error);
  });
  refresh(true);
}

export async function takeBack(element) {
  const yes = await form(html`<h2>${t("ask_take_back")}</h2>`, t("take_back"), "danger");
  if (yes) await send(`${path()}/paid/${element.dataset.payment}/back`, {});
}

async function send(where, body) {
  try {
    await ask("POST", where, body);
  } catch (error) {
    toast(refused(error), true);
  }
  refresh(true);
}

// What is owed by now stands in cents; somebody else may have noted all of it.
function refused({ code, values, message }) {
  const cents = values?.cents;
  return failure({ code: code === "no_debt" && !cents ? "paid_already" : code, values: cents === undefined ? values : { euros: euros(cents) }, message });
}
