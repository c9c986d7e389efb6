// Releases for all devices: taken in once, wished for tables, and what becomes of each; the direction's own.

import { ask, form, toast } from "./actions.js";
import { redraw } from "./draw.js";
import { state } from "./live.js";
import { loader } from "./loaded.js";
import { html } from "./text.js";
import { failure, has, list, locale, say } from "./words.js";

const f = (code, fill) => say("page_fleet", code, fill);
const fleet = loader(() => state.me.director ? "/api/fleet" : "");

// What is being set up here is told by nobody: it is asked for while it lasts.
const POLL_MS = 3000;
const WORKING = ["check", "unpack", "install", "try"];
setInterval(() => {
  if (location.hash.startsWith("#/access") && WORKING.includes(fleet.held.data?.own.state)) fleet.refresh();
}, POLL_MS);

export const refreshFleet = () => fleet.refresh();

async function send(path, body, done) {
  try {
    await ask("POST", `/api/fleet/${path}`, body);
    if (done) toast(done);
  } catch (error) {
    toast(failure(error), true);
  }
  fleet.refresh(true);
}

// uploads: one file after the other, each as it is

let uploading = "";

export async function fleetChange(event) {
  if (event.target.name !== "bundle") return;
  const files = [...event.target.files];
  event.target.value = "";
  for (const file of files) await upload(file);
  fleet.refresh(true);
}

function upload(file) {
  return new Promise(resolve => {
    const request = new XMLHttpRequest(); // fetch cannot say how much has been sent
    const show = text => {
      uploading = text;
      redraw();
    };
    const said = () => {
      try {
        return JSON.parse(request.responseText);
      } catch {
        return {};
      }
    };
    request.upload.onprogress = event => show(f("uploading", { name: file.name, n: Math.floor(100 * event.loaded / Math.max(1, event.total)) }));
    request.upload.onload = () => show(f("comparing", { name: file.name }));
    request.onloadend = () => {
      show("");
      const answer = said();
      if (request.status === 200) toast(f("uploaded", answer));
      else toast(failure(Object.assign(new Error(answer.message ?? say("page", "unreachable")), { code: answer.code ?? answer.error, values: answer.values })), true);
      resolve();
    };
    request.open("POST", "/api/fleet/bundles");
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.send(file);
  });
}

// From a stick that is plugged in at the direction's machine, where its page has no file at hand.
export async function fromStick() {
  let found = [];
  try {
    found = (await ask("GET", "/api/fleet/sticks")).bundles;
  } catch (error) {
    toast(failure(error), true);
    return;
  }
  const line = (one, i) => one.code ? html`<p class="warn">${one.file}: ${reason(one.code, one.values)}</p>`
    : html`<label class="check"><input type="radio" name="chosen" value="${i}" required> ${f("on_stick", one)}</label>`;
  const data = await form(html`<h2>${f("from_stick")}</h2>${found.length ? found.map(line) : html`<p>${f("stick_empty")}</p>`}`, f("take_in"));
  const chosen = found[data?.get("chosen")];
  if (!chosen) return;
  toast(f("comparing", { name: chosen.file }));
  try {
    toast(f("uploaded", await ask("POST", "/api/fleet/sticks", { place: chosen.place, file: chosen.file })));
  } catch (error) {
    toast(failure(error), true);
  }
  fleet.refresh(true);
}

// wishes

export const wishResting = element => send("wish", { version: element.dataset.version, tables: "resting" }, f("wished"));
export const wishOne = element => send("wish", { version: element.dataset.version, tables: [Number(element.dataset.table)] }, f("wished"));

export async function wishAll(element) {
  const { version } = element.dataset;
  const yes = await form(html`<h2>${f("ask_all", { version })}</h2><p>${f("ask_all_more")}</p>`, f("all"));
  if (yes) await send("wish", { version, tables: "all" }, f("wished"));
}

export const withdrawWish = () => send("withdraw", {}, f("withdrawn"));
export const takeOwn = element => send("own", { version: element.dataset.version });

export async function restartDirector() {
  const yes = await form(html`<h2>${f("ask_restart")}</h2><p>${f("ask_restart_more")}</p>`, f("restart"));
  if (yes) await send("restart", {}, f("restarting"));
}

// Which release a table shall run; undefined: none in particular.
function wished(table) {
  const data = fleet.held.data;
  return [data?.all, data?.tables[table]].filter(Boolean).sort((one, other) => other.order - one.order)[0];
}

const reason = (code, values) => has("bundles", code) ? say("bundles", code, values) : code;

const good = text => html`<div class="good">${text}</div>`;
const wrong = text => html`<div class="warn">${text}</div>`;

// What becomes of the release that a table shall run.
export function releaseOf(one) {
  const wish = one.table === null ? undefined : wished(one.table);
  if (!wish) return "";
  const told = one.status.release, { version } = wish;
  if (!one.connected) return good(f("later", { version }));
  if (!one.takes) return wrong(f("takes_none"));
  const [machine, python] = one.takes;
  if (!fleet.held.data.bundles.some(one => one.version === version && one.machine === machine && one.python === python)) return wrong(f("no_file", { version, machine, python }));
  if (told?.order !== wish.order) return good(f("offered", { version }));
  if (told.state === "refused") return wrong(reason(told.code, told.values));
  return good(f(`state_${told.state}`, { version, n: told.percent ?? 0 }));
}

export const isRefused = one => one.connected && one.status.release?.state === "refused" && one.status.release.order === wished(one.table)?.order;

// The newest release that can be wished of one table, other than what it runs.
export function offerButton(one) {
  const newest = fleet.held.data?.bundles.find(bundle => bundle.machine === one.takes?.[0] && bundle.python === one.takes?.[1]);
  const runs = one.status.version ?? one.told.version;
  if (!newest || newest.version === runs || wished(one.table)?.version === newest.version) return "";
  return html`<button data-do="wishOne" data-table="${one.table}" data-version="${newest.version}">${f("one", { version: newest.version })}</button>`;
}

const megabytes = size => (size / 1e6).toLocaleString(locale(), { maximumFractionDigits: size < 1e7 ? 1 : 0 });

function versionHtml(version, files, own) {
  const kinds = files.map(one => f(one.checked ? "kind" : "kind_unchecked", { machine: one.machine, python: one.python, size: megabytes(one.size) }));
  const fits = files.some(one => one.machine === own.takes?.[0] && one.python === own.takes?.[1]);
  const ours = fits && own.runs !== version && own.waits !== version;
  return html`<tr><th scope="row">${version}</th><td class="more">${list(kinds)}</td><td>
    <button class="main" data-do="wishResting" data-version="${version}">${f("resting")}</button>
    <button data-do="wishAll" data-version="${version}">${f("all")}</button>
    ${ours ? html`<button data-do="takeOwn" data-version="${version}">${f("own")}</button>` : ""}</td></tr>`;
}

function ownHtml(own) {
  if (!own.runs) return "";
  const told = own.waits ? f("own_waits", { version: own.waits }) : own.state === "refused" ? reason(own.code, own.values) : own.state ? f(`own_${own.state}`, { n: own.percent ?? 0 }) : "";
  const failed = own.failed && !own.waits ? html` <span class="warn">${reason("bundle_failed", { version: own.failed })}</span>` : "";
  return html`<p>${f("own_runs", { version: own.runs })} ${told}${failed}
    <button class="${own.waits ? "main" : ""}" data-do="restartDirector">${f("restart")}</button></p>`;
}

function wishHtml(data, devices) {
  const wishes = Object.entries(data.tables);
  if (!data.all && !wishes.length) return "";
  const here = devices.filter(one => one.table !== null && wished(one.table));
  const done = here.filter(one => (one.status.version ?? one.told.version) === wished(one.table).version).length;
  const what = data.all ? f("all_shall", { version: data.all.version }) : f("some_shall", { tables: list(wishes.map(([table]) => table)) });
  return html`<p class="row"><span>${what} ${f("done_of", { n: done, of: here.length })}</span> <button data-do="withdrawWish">${f("withdraw")}</button></p>`;
}

export function fleetHtml(devices) {
  const data = fleet.held.data;
  if (!data) return html`<p>${fleet.held.failed}</p>`;
  const versions = data.bundles.reduce((found, one) => found.set(one.version, [...found.get(one.version) ?? [], one]), new Map());
  return html`${ownHtml(data.own)}${wishHtml(data, devices)}
    <div class="wide"><table class="access"><tbody>${[...versions].map(([version, files]) => versionHtml(version, files, data.own))}</tbody></table></div>
    <p class="row"><label class="file">${f("upload")} <input type="file" name="bundle" accept=".bundle" multiple></label> <button data-do="fromStick">${f("from_stick")}</button> <span role="status">${uploading}</span></p>
    <p class="note">${f("upload_why")}</p>
    <p><a href="/api/fleet/log.zip" download="stichwart-leitung.zip">${f("log")}</a></p>`;
}

export const fleetButtons = { wishResting, wishOne, wishAll, withdrawWish, takeOwn, restartDirector, fromStick };
