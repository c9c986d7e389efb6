// Badges and seat cards: which sheet of labels, where it begins, which code; the PDF opens in a window of its own.

import { ask, form, toast } from "./actions.js";
import { p } from "./desk.js";
import { state } from "./live.js";
import { html } from "./text.js";
import { current, failure, has, say } from "./words.js";

const CODES = { qr: "code_qr", bars: "code_bars", none: "code_none" };

const b = (code, fill) => say("page_labels", code, fill);
const kept = what => JSON.parse(localStorage.getItem(`labels-${what}`) ?? "{}");  // as this desk printed last
const sizeText = one => `${one.wide} × ${one.high} mm`;
const formText = one => b("form", { name: has("page_labels", `form_${one.name}`) ? b(`form_${one.name}`) : one.name, size: sizeText(one), n: one.each });

async function print(what, title, note, more) {
  let formats;
  try {
    formats = await ask("GET", "/api/labels");
  } catch (error) {
    toast(failure(error), true);
    return;
  }
  const last = { form: what === "seats" ? "tents4" : "L4785", code: "qr", ...kept(what) };
  const data = await form(html`<h2>${title}</h2>${note ? html`<p class="warn">${note}</p>` : ""}
    <label>${b("sheet")}<select name="form">${formats.map(one => html`<option value="${one.name}" ?selected=${one.name === last.form}>${formText(one)}</option>`)}</select></label>
    <label>${b("start")}<input name="start" type="number" inputmode="numeric" min="1" max="200" value="1" required></label>
    <label>${b("code")}<select name="code">${Object.entries(CODES).map(([code, text]) => html`<option value="${code}" ?selected=${code === last.code}>${b(text)}</option>`)}</select></label>
    <p class="quiet">${b("true_size")}</p>`, b("open"));
  if (!data) return;
  const chosen = { form: data.get("form"), code: data.get("code") };
  localStorage.setItem(`labels-${what}`, JSON.stringify(chosen));
  const query = new URLSearchParams({ what, ...chosen, start: data.get("start"), language: current(), ...more });
  window.open(`/api/${encodeURIComponent(state.me.tournament)}/labels.pdf?${query}`, "_blank", "noopener");
}

export async function printBadges(people) {
  const numbers = people.map(one => one.number).filter(number => number !== null), without = people.length - numbers.length;
  if (!numbers.length) {
    toast(b("no_numbers"), true);
    return;
  }
  await print("badges", p("do_badges"), without ? b("without", { n: without }) : "", { numbers: numbers.join(",") });
}

export const printSeatCards = round => print("seats", b("seats"), "", { round });
