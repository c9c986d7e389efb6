// Who may do what: log in, accounts, the record of acts.

import { ask, form, sendForm, toast } from "./actions.js";
import { redraw } from "./draw.js";
import { fleetButtons, fleetChange, fleetHtml, isRefused, offerButton, refreshFleet, releaseOf } from "./fleet.js";
import { forgetTyped } from "./kept_typed.js";
import { isHeld, loadMe, state } from "./live.js";
import { l, undoButton } from "./mending.js";
import { loader } from "./loaded.js";
import { hasText, parcelsButtons, parcelsChange, parcelsHtml, parcelsOf, refreshParcels } from "./parcels.js";
import { refreshSaving, restoreChange, savingHtml, takeoverHtml } from "./saving.js";
import { networkHtml, refreshNetwork } from "./network.js";
import { forgetAll, loadSetup } from "./office.js";
import { html } from "./text.js";
import { timeHtml } from "./wall_time.js";
import { current, failure, has, list, locale, say } from "./words.js";

const a = (code, fill) => say("page_access", code, fill);
const when = ms => new Date(ms).toLocaleString(locale(), { dateStyle: "short", timeStyle: "medium" });
const tournament = () => encodeURIComponent(state.tournament || state.me.tournament);

const nameField = value => html`<label>${a("name")}<input name="name" autocomplete="username" maxlength="60" required value="${value ?? ""}"></label>`;
const passwordField = (code, kind) => html`<label>${a(code)}<input name="password" type="password" autocomplete="${kind}" required></label>`;

export async function logIn() {
  if (state.me.first) return firstAccount();
  const data = await form(html`<h2>${a("login")}</h2>${nameField()}${passwordField("password", "current-password")}`, a("enter"));
  return data ? send("/api/login", { name: data.get("name"), password: data.get("password") }) : false;
}

async function firstAccount() {
  const data = await form(html`<h2>${a("first")}</h2><p>${a("first_why")}</p>
    <label>${a("code")}<input name="code" inputmode="numeric" autocomplete="one-time-code" required></label>
    ${nameField()}${passwordField("new_password", "new-password")}`, a("make"));
  return data ? send("/api/first", { code: data.get("code"), name: data.get("name"), password: data.get("password") }) : false;
}

// Logs in by the PIN of the director's file (#pin=…, as the demo opens the page).
export const enterPin = pin => send("/api/login", { pin });

async function send(path, body) {
  try {
    await ask("POST", path, body);
  } catch (error) {
    toast(failure(error), true);
    return false;
  }
  await loadMe();
  redraw();
  return true;
}

export async function logOut() {
  await ask("POST", "/api/logout").catch(() => {});
  forgetAll();
  forgetTyped();
  await loadMe().catch(() => {});
  loadSetup(true);
  redraw();
}

export async function ownPassword() {
  const data = await form(html`<h2>${a("own_password")}</h2>
    <label>${a("before")}<input name="before" type="password" autocomplete="current-password" required></label>
    ${passwordField("new_password", "new-password")}`, a("change"));
  if (data && await send("/api/password", { before: data.get("before"), password: data.get("password") })) toast(a("changed"));
}

// accounts

const ROLES = { director: "role_director", referee: "role_referee", desk: "role_desk", viewer: "role_viewer" };
const KINDS = { note: "kind_note", order: "kind_order", access: "kind_access" };

const accounts = loader(() => state.me.director ? "/api/accounts" : "");
const roles = chosen => Object.keys(ROLES).map(role => html`<option value="${role}" ?selected=${role === chosen}>${a(ROLES[role])}</option>`);

async function sendAccount(path, body) {
  try {
    await ask("POST", path, body);
    accounts.refresh(true);
  } catch (error) {
    toast(failure(error), true);
  }
}

export async function makeAccount() {
  await sendForm(html`<h2>${a("make_account")}</h2>${nameField()}
    <label>${a("role")}<select name="role">${roles("referee")}</select></label><p>${a("roles_more")}</p>${passwordField("new_password", "new-password")}`, a("make"), "", data =>
    ask("POST", "/api/accounts", { name: data.get("name"), role: data.get("role"), password: data.get("password") }));
  accounts.refresh(true);
}

export async function changeAccount(element) {
  const { name, role } = element.dataset;
  await sendForm(html`<h2>${a("change_account", { name })}</h2>
    <label>${a("role")}<select name="role">${roles(role)}</select></label>
    <label>${a("new_password_or_none")}<input name="password" type="password" autocomplete="new-password"></label>`, a("change"), "", data =>
    ask("POST", "/api/accounts/change", { name, ...data.get("role") === role ? {} : { role: data.get("role") }, ...data.get("password") ? { password: data.get("password") } : {} }));
  accounts.refresh(true);
}

export async function closeAccount(element) {
  const { name } = element.dataset;
  const yes = await form(html`<h2>${a("close_account", { name })}</h2><p>${a("close_account_more")}</p>`, a("close"), "danger");
  if (yes) await sendAccount("/api/accounts/change", { name, closed: true });
}

const accountRow = one => html`<tr class="${one.closed ? "gone" : ""}"><th scope="row">${one.name}</th><td>${a(ROLES[one.role])}</td>
  <td>${one.closed ? a("closed") : one.name === "PIN" ? a("of_file") : when(one.made)}</td><td>${one.name === "PIN" ? "" : html`<button data-do="changeAccount" data-name="${one.name}" data-role="${one.role}">${a("change")}</button>
  ${one.closed ? "" : html`<button data-do="closeAccount" data-name="${one.name}">${a("close")}</button>`}`}</td></tr>`;

// the tables' devices

const devices = loader(() => state.me.director ? "/api/devices" : "");

async function sendDevice(path, body) {
  try {
    await ask("POST", `/api/devices/${path}`, body);
    devices.refresh(true);
    return true;
  } catch (error) {
    toast(failure(error), true);
    return false;
  }
}

// The code in the page's address: a telephone has photographed it from the table's screen.
const codeHere = () => /^#\/access\/(\w{8})$/.exec(location.hash)?.[1] ?? "";
let offered = "";

function offerToAdmit() {
  const code = codeHere();
  if (!code || code === offered || !state.me.director || document.querySelector("dialog[open]")) return;
  offered = code;
  admitDevice();
}

export async function admitDevice() {
  const code = codeHere();
  let wish = null, taken = false; // another device has the number: whether it is replaced is asked then
  const data = await form(html`<h2>${a("admit")}</h2><p>${a("admit_why")}</p>
    <label>${a("device_code")}<input name="code" autocapitalize="characters" autocomplete="off" spellcheck="false" maxlength="12" required value="${code}"></label>
    <label>${a("device_number")}<input name="table" type="number" min="1" max="9999" required></label>`, a("admit"), "", async data => {
    wish = { code: data.get("code"), table: Number(data.get("table")) };
    try {
      await ask("POST", "/api/devices/admit", wish);
    } catch (error) {
      taken = error.code === "number_taken";
      if (!taken) return failure(error);
    }
    return null;
  });
  if (codeHere()) history.replaceState(null, "", "#/access");
  if (!data) return;
  if (taken) {
    const yes = await form(html`<h2>${a("replace_device", { table: wish.table })}</h2><p>${a("replace_device_more")}</p>`, a("replace"), "danger");
    if (!yes || !await sendDevice("admit", { ...wish, replace: true })) return;
  }
  devices.refresh(true);
  toast(a("admitted", { table: wish.table }));
}

export async function renameDevice(element) {
  let was = element.dataset.name;
  await sendForm(html`<h2>${a("rename_device", { table: element.dataset.table })}</h2><label>${a("device_name")}<input name="name" maxlength="60" value="${was}"></label>`, a("change"), "",
    data => ask("POST", `/api/devices/${element.dataset.id}`, { name: data.get("name"), was }), error => {
      if (error.code === "renamed") was = error.values.name; // who was told may press again
      return failure(error);
    });
  devices.refresh(true);
}

export const allowRulings = element => sendDevice(element.dataset.id, { rulings: element.dataset.rulings !== "1" });

export async function withdrawDevice(element) {
  const yes = await form(html`<h2>${a("withdraw_device", { table: element.dataset.table })}</h2><p>${a("withdraw_device_more")}</p>`, a("withdraw"), "danger");
  if (yes) await sendDevice(element.dataset.id, { withdrawn: true });
}

// What is asked of a device itself; the answer to a log comes a moment later.
export async function askDevice(element) {
  const { id, table } = element.dataset;
  const data = await form(html`<h2>${a("ask_device", { table })}</h2><label>${a("ask_what")}<select name="what">
    <option value="log">${a("task_log")}</option><option value="restart">${a("task_restart")}</option><option value="reboot">${a("task_reboot")}</option></select></label>
    <p>${a("ask_device_more")}</p>`, a("ask_it"));
  if (data && await sendDevice(`${id}/task`, { what: data.get("what") })) {
    toast(a(data.get("what") === "log" ? "log_asked" : "restart_asked"));
    setTimeout(() => devices.refresh(true), 4000);
  }
}

const SCANNER = { works: "scanner_works", gone: "scanner_gone", silent: "scanner_silent" };
const toldOf = told => [
  told.seats ? a("mat_of", { n: told.seats }) : "", told.source ?? (told.camera?.includes?.(":") ? told.camera : ""), told.version ? a("version", { version: told.version }) : "",
  Number.isInteger(told.up_hours) ? a(told.up_hours < 48 ? "up_hours" : "up_days", { n: told.up_hours < 48 ? told.up_hours : Math.floor(told.up_hours / 24) }) : "",
  Number.isInteger(told.temperature_c) ? a("temperature", { n: told.temperature_c }) : "", Math.abs(told.offset_s ?? 0) > 1 ? a("offset", { n: told.offset_s }) : "",
  told.scanner ? a(SCANNER[told.scanner] ?? "scanner_works") : "",
  Number.isInteger(told.free_gb) ? a("free", { gb: told.free_gb }) : "", told.unsent ? a("unsent", { table: told.table, n: told.unsent }) : "", told.stored_at ? a("stored_at", { time: when(told.stored_at) }) : "", hasText(told),
].filter(Boolean).join(" · ");

// What is wrong with a device, the worst first; the service says how bad.
const urgency = badness => badness >= 7 ? 3 : badness >= 4 ? 2 : 1;
const badHtml = bad => bad.length ? html`<ul class="bad">${bad.map(one => html`<li class="u${urgency(one.badness)}" title="${one.code === "plain" ? a("plain_why") : ""}">${a(BAD[one.code], one.values)}</li>`)}</ul>` : html`<span class="good">${a("nothing_bad")}</span>`;
const BAD = {
  two_lists: "two_lists", twice: "bad_twice", held: "bad_held", storage: "bad_storage", unsaved: "bad_unsaved", disk_low: "bad_disk", no_camera: "blind",
  under_voltage: "bad_power", not_connected: "away", clock_off: "bad_clock", many_comings: "bad_comings", hot: "bad_hot",
  was_under_voltage: "bad_power_once", other_version: "bad_version", plain: "plain",
};

const deviceRow = one => html`<tr class="${one.table === null ? "gone" : ""}"><th scope="row">${one.table === null ? "–" : `${a("column_table")} ${one.table}`}</th><td>${one.name}</td>
  <td>${one.table === null ? a("withdrawn") : one.bad.length || !isRefused(one) ? badHtml(one.bad) : ""}${releaseOf(one)}${parcelsOf(one)}</td><td class="more">${toldOf({ ...one.told, ...one.status })}</td>
  <td>${one.table === null ? "" : html`<button data-do="allowRulings" data-id="${one.id}" data-rulings="${one.rulings ? 1 : 0}" aria-pressed="${one.rulings ? "true" : "false"}" title="${a("rulings_why")}">${one.rulings ? a("rulings_on") : a("rulings_off")}</button>
  <button data-do="renameDevice" data-id="${one.id}" data-table="${one.table}" data-name="${one.name}">${a("rename")}</button>
  <button data-do="withdrawDevice" data-id="${one.id}" data-table="${one.table}">${a("withdraw")}</button>${offerButton(one)}
  ${one.tasks.length ? html`<button data-do="askDevice" data-id="${one.id}" data-table="${one.table}">${a("device")}</button>` : ""}
  ${one.log ? html`<a href="/api/devices/${one.id}/log.zip" download="stichwart-${one.table}.zip">${a("log_came", { time: when(one.log) })}</a>` : ""}`}</td></tr>`;

// When everything was saved last: every minute to a stick, and as a file.
function savedHtml({ stick, file }) {
  const to = stick?.at ? a("saved_stick", { name: stick.name, time: when(stick.at) }) : "";
  const as = file ? a("saved_file", { time: when(file) }) : "";
  return html`<p class="${stick?.trouble || !to && !as ? "warn" : ""}">${a("last_saved")} ${list([to, as].filter(Boolean)) || a("never_saved")}</p>`;
}

function devicesHtml() {
  const data = devices.held.data;
  if (!data) return html`<p>${devices.held.failed}</p>`;
  return html`${savedHtml(data.saved)}${data.waiting.length ? html`<p class="note">${a("waiting", { n: data.waiting.length })} ${data.waiting.map(one => [one.address, toldOf(one.told)].filter(Boolean).join(" · ")).join(", ")}</p>` : ""}
    <div class="wide"><table class="access"><tbody>${data.devices.map(deviceRow)}</tbody></table></div>
    <p class="row"><button data-do="admitDevice" class="${data.waiting.length ? "main" : ""}">${a("admit")}</button></p>`;
}

// encryption

const certificate = loader(() => state.me.director ? "/api/certificate" : "");

function encryptionHtml() {
  const data = certificate.held.data;
  if (!data) return html`<p>${certificate.held.failed}</p>`;
  if (!data.encrypted) return html`<p>${a("not_encrypted")}</p>`;
  return html`<p>${a(data.own ? "encrypted_own" : "encrypted_files", { day: new Date(data.ends).toLocaleDateString(locale()), names: data.names.join(", ") })}</p>
    ${data.fingerprint ? html`<p>${a("fingerprint")} <code class="fingerprint">${data.fingerprint}</code></p><p class="row">${certificateLink()}</p>` : ""}`;
}

const certificateLink = () => html`<a href="${current() === "en" ? "/certificate" : "/zertifikat"}">${a("certificate")}</a>`;

// the record

const chosen = { actor: "", of: "", what: "" };
const query = () => new URLSearchParams({ ...chosen, language: current() }).toString();
const record = loader(() => state.me.director ? `/api/${tournament()}/protocol.json?${query()}` : "");

export function accessChange(event) {
  fleetChange(event);
  parcelsChange(event);
  restoreChange(event);
  const { name, value } = event.target;
  if (!event.target.closest(".record")) return;
  chosen[name] = value;
  record.refresh(true);
}

const whatOf = act => {
  for (const subject of ["page_acts", "page_orders"]) if (has(subject, act.what)) return say(subject, act.what);
  return act.what;
};
const valueOf = value => typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
const moreOf = act => Object.entries(act.body).filter(([, value]) => value !== null && value !== "").map(([key, value]) => `${key}: ${valueOf(value)}`).join(", ");
const whereOf = act => [act.round ? `${a("column_round")} ${act.round}` : "", act.table ? `${a("column_table")} ${act.table}` : ""].filter(Boolean).join(", ");

// A note or order may be taken back; the service says where it cannot be any more, and why.
function undoHtml(act) {
  if (!isHeld() && !["berichtigung", "photo", "paper", "paper_row", "paper_result", "list_closed"].includes(act.what)) return "";
  if (["begin", "order_undone"].includes(act.what)) return "";
  if (act.kind === "note") return html` ${undoButton(act.number, whatOf(act))}`;
  if (act.kind !== "order" || act.what === "call") return "";
  return html` <button type="button" class="undo" data-do="undoOrder" data-number="${act.number}" data-round="${act.round}" data-what="${whatOf(act)}" aria-label="${l("undo")}: ${whatOf(act)}">${l("undo")}</button>`;
}

const actRow = act => html`<tr><td>${when(act.at)}</td><td>${act.actor || "–"}</td><td>${whatOf(act)}</td><td>${whereOf(act)}</td><td class="more">${moreOf(act)}${undoHtml(act)}</td></tr>`;

const select = (name, label, options) => html`<label>${label}<select name="${name}"><option value="">${a("all")}</option>${options.map(([value, text]) =>
  html`<option value="${value}" ?selected=${chosen[name] === value}>${text}</option>`)}</select></label>`;

function recordHtml() {
  const data = record.held.data;
  if (!data) return html`<p class="note">${record.held.failed}</p>`;
  return html`<div class="row record">${select("actor", a("column_actor"), data.actors.map(one => [one, one]))}
    ${select("of", a("kind"), Object.entries(KINDS).map(([kind, code]) => [kind, a(code)]))}
    ${select("what", a("column_what"), data.whats.filter(([kind]) => chosen.of === "" || kind === chosen.of).map(([, what]) => [what, whatOf({ what })]))}
    <a href="/api/${tournament()}/protocol.csv?${query()}">${say("page", "as_csv")}</a><button type="button" data-do="printPage">${a("print")}</button>
    <a href="/api/backup" download>${a("backup")}</a></div>
    <div class="wide"><table class="access"><thead><tr>${["column_at", "column_actor", "column_what", "column_place", "column_more"].map(one => html`<th scope="col">${a(one)}</th>`)}</tr></thead>
    <tbody>${data.acts.map(actRow)}</tbody></table></div>${data.more ? html`<p>${a("newest_only")}</p>` : ""}`;
}

export const printPage = () => window.print();

export function accessHtml() {
  if (!state.me.director) return html`<section class="blank"><h1>${a("access")}</h1><p>${a("director_only")}</p></section>`;
  const data = accounts.held.data;
  return html`<section class="panel"><h1>${a("access")}</h1><h2>${a("accounts")}</h2>
    ${data ? html`<table class="access"><tbody>${data.accounts.map(accountRow)}</tbody></table>` : accounts.held.failed}
    <p class="row"><button data-do="makeAccount">${a("make_account")}</button></p></section>
    <section class="panel"><h2>${a("devices")}</h2>${devicesHtml()}</section>
    <section class="panel"><h2>${a("releases")}</h2>${fleetHtml(devices.held.data?.devices ?? [])}</section>
    <section class="panel"><h2>${say("page_parcels", "title")}</h2>${parcelsHtml(devices.held.data?.devices ?? [])}</section>
    <section class="panel"><h2>${say("page_saving", "title")}</h2>${savingHtml()}</section>
    <section class="panel"><h2>${say("page_network", "title")}</h2>${networkHtml()}</section>
    <section class="panel"><h2>${say("page_time", "title")}</h2>${timeHtml()}</section>
    <section class="panel"><h2>${a("encryption")}</h2>${encryptionHtml()}</section>
    <section class="panel"><h2>${a("record")}</h2>${recordHtml()}</section>
    <section class="panel"><h2>${a("about")}</h2><p><a href="${current() === "en" ? "/about" : "/ueber"}">${a("about_why")}</a></p></section>`;
}

export function refreshAccess() {
  accounts.refresh();
  devices.refresh();
  refreshFleet();
  refreshParcels();
  refreshSaving();
  refreshNetwork();
  certificate.refresh();
  record.refresh();
  offerToAdmit();
}

export const accessButtons = { admitDevice, askDevice, renameDevice, allowRulings, withdrawDevice, logIn, logOut, ownPassword, makeAccount, changeAccount, closeAccount, printPage, ...fleetButtons, ...parcelsButtons };

// The page for those who have not logged in, where guests may not look.
export const shutHtml = () => html`<section class="blank"><h1>${a(state.me.first ? "first" : "login")}</h1><p>${state.me.first ? a("first_why") : a("shut")}</p>${takeoverHtml()}
  <p><button data-do="logIn" class="main">${state.me.first ? a("first") : a("enter")}</button></p>${state.me.certificate ? html`<p>${certificateLink()}</p>` : ""}</section>`;

export const meHtml = () => state.me.name ? html`<button data-do="ownPassword" class="plain" title="${state.me.name}: ${a("own_password")}">${state.me.name}</button>
    <button data-do="logOut" class="plain">${a("logout")}</button>`
  : html`<button data-do="logIn" class="main"><span class="long">${state.me.first ? a("first") : a("login")}</span><span class="short">${a("login_short")}</span></button>`;
