// Decks, words, sounds, settings and books for the tables: taken in once, given to all or some, and what each table has.

import { ask, form, sendForm, toast } from "./actions.js";
import { state } from "./live.js";
import { loader } from "./loaded.js";
import { html } from "./text.js";
import { failure, has, list, locale, names, say, spoken } from "./words.js";

const p = (code, fill) => say("page_parcels", code, fill);
const when = ms => new Date(ms).toLocaleString(locale(), { dateStyle: "short", timeStyle: "short" });
const parcels = loader(() => state.me.director ? "/api/parcels" : "");
export const refreshParcels = () => parcels.refresh();

const ALL = 0, DIGEST = 12;
const ENDINGS = { npz: "deck", po: "words", zip: "sounds", json: "settings", toml: "book" };
const KINDS = { deck: "kind_deck", words: "kind_words", sounds: "kind_sounds", settings: "kind_settings", book: "kind_book" };
const nameOf = (kind, name) => p(KINDS[kind] ?? "kind_deck", { name });

async function send(path, body, done) {
  try {
    await ask("POST", `/api/parcels/${path}`, body);
    if (done) toast(done);
  } catch (error) {
    toast(failure(error), true);
  }
  parcels.refresh(true);
}

// taken in: the file's name says what it is, the service looks into it

export async function parcelsChange(event) {
  const some = event.target.name === "table" && event.target.checked ? event.target.form?.querySelector("[name=which][value=some]") : null;
  if (some) some.checked = true; // who ticks a table means that one
  if (event.target.name !== "parcel") return;
  const files = [...event.target.files];
  event.target.value = "";
  for (const file of files) await takeIn(file, file.name);
  parcels.refresh(true);
}

async function takeIn(content, file) {
  const [, name, ending] = /^(.*)\.(\w+)$/.exec(file) ?? [null, file, ""];
  const query = new URLSearchParams({ kind: ENDINGS[ending.toLowerCase()] ?? ending.slice(0, 20), name: name.slice(0, 64) });
  try {
    const answer = await fetch(`/api/parcels?${query}`, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: content });
    const told = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(told.message), { code: told.code ?? told.error, values: told.values });
    toast(p("taken_in", { what: nameOf(told.kind, told.name) }));
  } catch (error) {
    toast(`${file}: ${failure(error)}`, true);
  }
}

const number = (name, code, low, high) => html`<label>${p(code)}<input name="${name}" type="number" min="${low}" max="${high}" inputmode="numeric"></label>`;

// Settings for all: what is left empty stays as each table has it.
export async function makeSettings() {
  await sendForm(html`<h2>${p("make_settings")}</h2><p>${p("make_settings_why")}</p>
    <label>${p("settings_name")}<input name="name" maxlength="40" required></label>
    ${number("sound.volume", "volume", 0, 100)}
    <label>${p("quiet")}<input name="sound.quiet" placeholder="22:00-07:00" maxlength="20" pattern="\\d\\d:\\d\\d-\\d\\d:\\d\\d"></label>
    <label>${p("speak")}<select name="sound.speak"><option value="">${p("as_it_is")}</option><option value="yes">${p("yes")}</option><option value="no">${p("no")}</option></select></label>
    ${number("light.brightness", "brightness", 10, 100)}${number("light.rest", "rest", 10, 100)}${number("light.rest_after", "rest_after", 0, 240)}
    <label>${p("language")}<select name="screen.language"><option value="">${p("as_it_is")}</option>${names().map(one => html`<option value="${one}">${say("language", "name", {}, one)}</option>`)}</select></label>`,
  p("keep"), "", async data => {
    const told = {};
    for (const [key, value] of data) {
      const [section, name] = key.split(".");
      if (!name || value === "") continue;
      (told[section] ??= {})[name] = name === "speak" ? value === "yes" : ["quiet", "language"].includes(name) ? value : Number(value);
    }
    const query = new URLSearchParams({ kind: "settings", name: data.get("name") });
    await ask("POST", `/api/parcels?${query}`, told);
  });
  parcels.refresh(true);
}

// given

const tablesOf = devices => [...new Set(devices.map(one => one.table).filter(table => table !== null))].sort((one, other) => one - other);

async function askTables(title, why, yes, devices) {
  const data = await form(html`<h2>${title}</h2><p>${why}</p>
    <label class="check"><input type="radio" name="which" value="all" checked> ${p("all_tables")}</label>
    <label class="check"><input type="radio" name="which" value="some"> ${p("some_tables")}</label>
    <div class="choose-tables">${tablesOf(devices).map(table => html`<label class="check"><input type="checkbox" name="table" value="${table}"> ${table}</label>`)}</div>`, yes);
  if (!data) return null;
  const chosen = data.getAll("table").map(Number);
  if (data.get("which") === "all") return "all";
  if (!chosen.length) toast(p("choose_tables"), true);
  return chosen.length ? chosen : null;
}

let shown = []; // the devices as they are shown now

export async function giveParcel(element) {
  const { number, what } = element.dataset;
  const tables = await askTables(p("ask_give", { what }), p("ask_give_why"), p("give"), shown);
  if (tables) await send(`${number}/give`, { tables }, p("given"));
}

export async function takeParcelBack(element) {
  const { slot, what } = element.dataset;
  const tables = await askTables(p("ask_back", { what }), p("ask_back_why"), p("back"), shown);
  if (tables) await send("back", { slot, tables }, p("taken_back"));
}

export async function tablesAsShipped() {
  const tables = await askTables(p("ask_shipped"), p("ask_shipped_why"), p("back"), shown);
  if (tables) await send("back", { slot: null, tables }, p("taken_back"));
}

export const removeParcel = element => send(`${element.dataset.number}/remove`, {});

// what each table has

const hasIt = (told, one) => told.have?.some(([kind, name, digest]) => kind === one.kind && name === one.name && one.sha256.startsWith(digest));

// The parcels that a table shall have.
function wanted(table) {
  const data = parcels.held.data;
  const numbers = Object.values(data?.given ?? {}).map(given => given[table] ?? given[ALL]);
  return (data?.parcels ?? []).filter(one => numbers.includes(one.number));
}

const toldOf = one => one.status.parcels ?? one.told.parcels;
const good = text => html`<div class="good">${text}</div>`;
const wrong = text => html`<div class="warn">${text}</div>`;
const reason = (code, values) => has("parcels", code) ? say("parcels", code, spoken(values)) : code;

// What becomes of what a table is given.
export function parcelsOf(one) {
  if (one.table === null || !parcels.held.data) return "";
  const told = toldOf(one), missing = wanted(one.table).filter(parcel => !told || !hasIt(told, parcel));
  const what = list(missing.map(parcel => nameOf(parcel.kind, parcel.name)));
  const refused = one.connected ? told?.refused ?? [] : [];
  if (refused.length) return refused.map(each => wrong(p("refused", { name: each.name, why: reason(each.code, each.values) })));
  if (!missing.length) return one.connected && told?.state === "waits" ? good(p("state_waits", { what: "" })) : "";
  if (!one.connected) return good(p("later", { what }));
  if (!told) return wrong(p("takes_none"));
  return good(p(told.state === "fetching" ? "state_fetching" : told.state === "waits" ? "state_waits" : "state_offered", { what, n: told.percent ?? 0 }));
}

// What a table has, by name and the beginning of its hash.
export function hasText(told) {
  const given = (told.parcels?.have ?? []).map(([kind, name, digest]) => `${nameOf(kind, name)} (${digest.slice(0, 6)})`);
  const own = (told.parcels?.decks ?? []).map(([name, digest]) => `${p("learned_here", { name })} (${digest.slice(0, 6)})`);
  return [...given, ...own].join(" · ");
}

function aboutText(one) {
  const { about } = one;
  const content = about.title ?? (about.faces ? p("faces", { n: about.faces }) : about.texts ? p("texts", { n: about.texts }) : about.signals ? p("signals", { n: about.signals.length })
    : Object.entries(about.settings ?? {}).flatMap(([, keys]) => Object.entries(keys).map(([key, value]) => `${SETTINGS[key] ? p(SETTINGS[key]) : key}: ${value === true ? p("yes") : value === false ? p("no") : value}`)).join(", "));
  const from = one.table ? p("from_table", { table: one.table }) : one.actor;
  return [content, one.size >= 1e5 ? `${(one.size / 1e6).toLocaleString(locale(), { maximumFractionDigits: 1 })} MB` : "", one.sha256.slice(0, DIGEST), from, when(one.at)].filter(Boolean).join(" · ");
}

const SETTINGS = { volume: "volume", quiet: "quiet", speak: "speak", brightness: "brightness", rest: "rest", rest_after: "rest_after", language: "language" };

function givenText(one, given, devices) {
  const tables = Object.entries(given[one.slot] ?? {}).filter(([, number]) => number === one.number).map(([table]) => Number(table));
  if (!tables.length) return "";
  const shall = devices.filter(device => device.table !== null && wanted(device.table).some(parcel => parcel.number === one.number));
  const have = shall.filter(device => hasIt(toldOf(device) ?? {}, one)).length;
  const whom = tables.includes(ALL) ? p("to_all") : p("to_tables", { tables: list(tables) });
  return html`${whom} ${p("have_of", { n: have, of: shall.length })}`;
}

function parcelRow(one, given, devices) {
  const what = nameOf(one.kind, one.name), whom = givenText(one, given, devices);
  return html`<tr><th scope="row">${what}</th><td class="more">${aboutText(one)}${whom ? html`<div class="good">${whom}</div>` : ""}</td><td>
    <button class="${whom ? "" : "main"}" data-do="giveParcel" data-number="${one.number}" data-what="${what}">${p("give_to")}</button>
    ${whom ? html`<button data-do="takeParcelBack" data-slot="${one.slot}" data-what="${what}">${p("take_back")}</button>` : html`<button data-do="removeParcel" data-number="${one.number}">${p("remove")}</button>`}
    <a href="/api/parcels/${one.number}/file" download>${p("file")}</a></td></tr>`;
}

export function parcelsHtml(devices) {
  const data = parcels.held.data;
  if (!data) return html`<p>${parcels.held.failed}</p>`;
  shown = devices;
  return html`<p class="note">${p("why")}</p>
    <div class="wide"><table class="access"><tbody>${data.parcels.map(one => parcelRow(one, data.given, devices))}</tbody></table></div>
    <p class="row"><label class="file">${p("upload")} <input type="file" name="parcel" accept=".npz,.po,.zip,.json,.toml" multiple></label>
      <button data-do="makeSettings">${p("make_settings")}</button>
      ${Object.keys(data.given).length ? html`<button data-do="tablesAsShipped">${p("shipped")}</button>` : ""}</p>`;
}

export const parcelsButtons = { makeSettings, giveParcel, takeParcelBack, tablesAsShipped, removeParcel };
