// What is wished of every draw: who is kept apart, fixed seats, halls. It is written as people write lists, a line each.

import { known, loadSetup, noting, whenAnother } from "./office.js";
import { toast } from "./actions.js";
import { drafted, overtakenHtml, saveWhole, whole } from "./overtaken.js";
import { html } from "./text.js";
import { current, say } from "./words.js";

const w = (code, fill) => say("page_draws", code, fill);
let open = false;
whenAnother(() => { open = false; });

const apartText = wishes => wishes.apart.map(one => `${one.must ? "! " : ""}${one.names.join(" + ")}`).join("\n");
const fixedText = wishes => wishes.fixed.map(one => `${one.name} = ${one.table}${one.seat ? `/${one.seat}` : ""}`).join("\n");
const hallsText = wishes => wishes.halls.map(one => `${one.name} = ${one.tables}`).join("\n");
const clubs = setup => new Set(setup.people.map(one => one.club).filter(Boolean)).size;

export function wishesHtml(setup) {
  const wishes = setup.seat_wishes, many = wishes.apart.length + wishes.fixed.length + wishes.halls.length + (wishes.clubs ? 1 : 0);
  return html`<details class="wishes" ?open=${open || drafted("seat_wishes")}><summary>${w("wishes")} – <b class="${many ? "" : "quiet"}">${many ? w("n_wishes", { n: many }) : w("no_wishes")}</b></summary>
    <form id="wishes-form" data-whole="seat_wishes" class="fields">${fieldsHtml(setup, wishes)}
      <button type="button" data-do="saveWishes">${w("save_wishes")}</button>${overtakenHtml("seat_wishes")}</form></details>`;
}

const fieldsHtml = (setup, wishes) => html`
      <label class="grow">${w("apart")}<textarea name="apart" rows="3" placeholder="Anna Ott + Bernd Uhl" .defaultValue=${apartText(wishes)}></textarea><small>${w("apart_hint")}</small></label>
      <label class="grow">${w("fixed")}<textarea name="fixed" rows="3" placeholder="Anna Ott = 1" .defaultValue=${fixedText(wishes)}></textarea><small>${w("fixed_hint")}</small></label>
      <label class="grow">${w("halls")}<textarea name="halls" rows="3" placeholder="Saal = 15" .defaultValue=${hallsText(wishes)}></textarea><small>${w("halls_hint")}</small></label>
      ${clubs(setup) > 1 || wishes.clubs ? html`<label>${w("clubs")}<select name="clubs">${["", "should", "must"].map(one => html`<option value="${one}" ?selected=${one === wishes.clubs}>${w(`clubs_${one || "not"}`)}</option>`)}</select></label>` : ""}
      <label class="check"><input type="checkbox" name="stay" ?checked=${wishes.stay}> ${w("stay")}</label>`;

// A name as it was entered, whatever capitals were typed.
const named = text => known().people.find(one => one.name.toLocaleLowerCase(current()) === text.toLocaleLowerCase(current()))?.name ?? text;
const lines = text => text.split("\n").map(line => line.trim()).filter(Boolean);

function apartOf(line) {
  const must = line.startsWith("!");
  return { must, names: line.replace(/^!/, "").split(/[+;]/).map(name => named(name.trim())).filter(Boolean) };
}

function fixedOf(line) {
  const [, name, table, seat] = /^(.*?)\s*=\s*(\d+)(?:\s*\/\s*(\d+))?$/.exec(line) ?? [];
  return name && { name: named(name), table: Number(table), seat: seat ? Number(seat) : null };
}

function hallOf(line) {
  const [, name, tables] = /^(.*?)\s*=\s*(\d+)$/.exec(line) ?? [];
  return tables && { name, tables: Number(tables) };
}

async function saveWishes(over) {
  const data = document.getElementById("wishes-form").elements;
  const [fixed, halls] = [lines(data.fixed.value).map(fixedOf), lines(data.halls.value).map(hallOf)];
  const odd = [...lines(data.fixed.value).filter((_, i) => !fixed[i]), ...lines(data.halls.value).filter((_, i) => !halls[i])];
  if (odd.length) return toast(w("odd_line", { line: odd[0] }), true);
  const body = { note: "seat_wishes", apart: lines(data.apart.value).map(apartOf), fixed, halls, clubs: data.clubs?.value ?? known().seat_wishes.clubs, stay: data.stay.checked };
  open = true;
  await saveWhole("seat_wishes", body, w("wishes_saved"), over);
}
whole("seat_wishes", { form: "wishes-form", saved: () => known().saved.seat_wishes, last: () => known().last, fields: () => fieldsHtml(known(), known().seat_wishes), send: noting, load: () => loadSetup(true), save: saveWishes });

export const wishesButtons = { saveWishes: () => saveWishes() };
