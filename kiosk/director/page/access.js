// Who may do what: log in, accounts, the record of acts.

import { ask, form, toast } from "./actions.js";
import { loadMe, state } from "./live.js";
import { loader } from "./loaded.js";
import { html } from "./text.js";
import { current, failure, has, locale, say } from "./words.js";

const a = (code, fill) => say("page_access", code, fill);
const when = ms => new Date(ms).toLocaleString(locale(), { dateStyle: "short", timeStyle: "medium" });
const tournament = () => encodeURIComponent(state.tournament || state.me.tournament);

let changed = () => {};
export const onAccess = call => { changed = call; };

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
  changed();
  return true;
}

export async function logOut() {
  await ask("POST", "/api/logout").catch(() => {});
  await loadMe().catch(() => {});
  changed();
}

export async function ownPassword() {
  const data = await form(html`<h2>${a("own_password")}</h2>
    <label>${a("before")}<input name="before" type="password" autocomplete="current-password" required></label>
    ${passwordField("new_password", "new-password")}`, a("change"));
  if (data && await send("/api/password", { before: data.get("before"), password: data.get("password") })) toast(a("changed"));
}

// accounts

const accounts = loader(() => state.me.director ? "/api/accounts" : "");
const roles = chosen => (accounts.held.data?.roles ?? []).map(role => html`<option value="${role}" ${role === chosen ? "selected" : ""}>${a(`role_${role}`)}</option>`);

async function sendAccount(path, body) {
  try {
    await ask("POST", path, body);
    accounts.refresh(changed, true);
  } catch (error) {
    toast(failure(error), true);
  }
}

export async function makeAccount() {
  const data = await form(html`<h2>${a("make_account")}</h2>${nameField()}
    <label>${a("role")}<select name="role">${roles("referee")}</select></label><p>${a("roles_more")}</p>${passwordField("new_password", "new-password")}`, a("make"));
  if (data) await sendAccount("/api/accounts", { name: data.get("name"), role: data.get("role"), password: data.get("password") });
}

export async function changeAccount(element) {
  const { name, role } = element.dataset;
  const data = await form(html`<h2>${a("change_account", { name })}</h2>
    <label>${a("role")}<select name="role">${roles(role)}</select></label>
    <label>${a("new_password_or_none")}<input name="password" type="password" autocomplete="new-password"></label>`, a("change"));
  if (data) await sendAccount("/api/accounts/change", { name, role: data.get("role"), ...data.get("password") ? { password: data.get("password") } : {} });
}

export async function closeAccount(element) {
  const { name } = element.dataset;
  const yes = await form(html`<h2>${a("close_account", { name })}</h2><p>${a("close_account_more")}</p>`, a("close"), "danger");
  if (yes) await sendAccount("/api/accounts/change", { name, closed: true });
}

const accountRow = one => html`<tr class="${one.closed ? "gone" : ""}"><th scope="row">${one.name}</th><td>${a(`role_${one.role}`)}</td>
  <td>${one.closed ? a("closed") : one.name === "PIN" ? a("of_file") : when(one.made)}</td><td>${one.name === "PIN" ? "" : html`<button data-do="changeAccount" data-name="${one.name}" data-role="${one.role}" class="plain">${a("change")}</button>
  ${one.closed ? "" : html`<button data-do="closeAccount" data-name="${one.name}" class="plain">${a("close")}</button>`}`}</td></tr>`;

// the record

const chosen = { actor: "", of: "", what: "" };
const query = () => new URLSearchParams({ ...chosen, language: current() }).toString();
const record = loader(() => state.me.director ? `/api/${tournament()}/protocol.json?${query()}` : "");

export function accessChange(event) {
  const { name, value } = event.target;
  if (!event.target.closest(".record")) return;
  chosen[name] = value;
  record.refresh(changed, true);
}

const whatOf = act => {
  for (const subject of ["page_acts", "page_orders"]) if (has(subject, act.what)) return say(subject, act.what);
  return act.what;
};
const valueOf = value => typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
const moreOf = act => Object.entries(act.body).filter(([, value]) => value !== null && value !== "").map(([key, value]) => `${key}: ${valueOf(value)}`).join(", ");
const whereOf = act => [act.round ? `${a("column_round")} ${act.round}` : "", act.table ? `${a("column_table")} ${act.table}` : ""].filter(Boolean).join(", ");

const actRow = act => html`<tr><td>${when(act.at)}</td><td>${act.actor || "–"}</td><td>${whatOf(act)}</td><td>${whereOf(act)}</td><td class="more">${moreOf(act)}</td></tr>`;

const select = (name, label, options) => html`<label>${label}<select name="${name}"><option value="">${a("all")}</option>${options.map(([value, text]) =>
  html`<option value="${value}" ${chosen[name] === value ? "selected" : ""}>${text}</option>`)}</select></label>`;

function recordHtml() {
  const data = record.held.data;
  if (!data) return html`<p class="note">${record.held.failed}</p>`;
  return html`<form class="row record">${select("actor", a("column_actor"), data.actors.map(one => [one, one]))}
    ${select("of", a("kind"), ["note", "order", "access"].map(one => [one, a(`kind_${one}`)]))}
    ${select("what", a("column_what"), data.whats.filter(([kind]) => chosen.of === "" || kind === chosen.of).map(([, what]) => [what, whatOf({ what })]))}
    <a href="/api/${tournament()}/protocol.csv?${query()}">CSV</a><button type="button" data-do="printPage" class="plain">${a("print")}</button></form>
    <div class="wide"><table class="access"><thead><tr>${["at", "actor", "what", "place", "more"].map(one => html`<th scope="col">${a(`column_${one}`)}</th>`)}</tr></thead>
    <tbody>${data.acts.map(actRow)}</tbody></table></div>${data.more ? html`<p>${a("newest_only")}</p>` : ""}`;
}

export const printPage = () => window.print();

export function accessHtml() {
  if (!state.me.director) return html`<h1>${a("access")}</h1><p>${a("director_only")}</p>`;
  const data = accounts.held.data;
  return html`<h1>${a("access")}</h1><section><h2>${a("accounts")}</h2>
    ${data ? html`<table class="access"><tbody>${data.accounts.map(accountRow)}</tbody></table>` : accounts.held.failed}
    <p class="row"><button data-do="makeAccount">${a("make_account")}</button></p></section>
    <section><h2>${a("record")}</h2>${recordHtml()}</section>`;
}

export function refreshAccess(draw) {
  accounts.refresh(draw);
  record.refresh(draw);
}
