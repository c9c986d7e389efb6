// Values that are saved as a whole: from which version a form was begun, what was typed into it until that is saved or thrown away, and what to do
// where somebody else has saved another one meanwhile.

import { form, toast } from "./actions.js";
import { redraw } from "./draw.js";
import { keeps } from "./kept_typed.js";
import { state } from "./live.js";
import { loadSetup, refusal, whenAnother } from "./office.js";
import { html, put, timeText } from "./text.js";
import { s, say } from "./words.js";

const w = (code, fill) => say("page_saved", code, fill);

// value → { form: id of its form, saved: number of the note that it is shown by, last: number of the tournament's last note that it is shown after,
//   fields: the form's fields as they are stored,
//   send: stores it, load: asks for it again, dirty: whether it is being written (else: its form is there), save, take: what its buttons do,
//   kept: names of the fields that whoever knows that it is being written does not keep himself (else: all) }
const values = {};
export const whole = (what, value) => { values[what] = value; };

const begun = new Map(); // value → { number, form }: of the note that it was begun from
const overtaken = new Map(); // value → who was faster, and when
const drafts = new Map(); // value → { form, by, fields }: who has typed what there that is not stored; its form goes with the page that it is on
const own = new Map(); // value → number of the note by which this page has stored it last
const sending = new Map(); // value → { text, ended } of what is under way
const unread = new Set(); // values that somebody was just told of: it is brought into view
whenAnother(() => { for (const one of [begun, overtaken, own, drafts]) one.clear(); });

const shown = what => values[what].saved() ?? -1;

// The number of what stands in the form; this page's own note may not have come back yet.
function standing(what) {
  const mine = own.get(what) ?? -1;
  return mine > (values[what].last() ?? -1) ? mine : shown(what);
}

function beginning(what) {
  const one = begun.get(what), { dirty } = values[what];
  return one && (dirty ? dirty() : one.form?.isConnected || drafts.has(what)) ? one.number : null;
}

// Somebody types into a form: it follows from what stands there now.
export function typedIn(element) {
  const form = element.closest("form[data-whole]"), what = form?.dataset.whole;
  if (what && beginning(what) === null) {
    begun.set(what, { number: standing(what), form });
    overtaken.delete(what);
  }
  if (what) keepDraft(what, form);
}

const partOf = field => field.closest("[data-part]")?.dataset.part ?? "";
const fieldsWith = (form, kept) => [...form.elements].filter(one => one.name && (!kept || kept.includes(one.name)));

function differs(field, what) {
  if (field.type === "checkbox") return field.checked !== field.defaultChecked;
  if (field.tagName === "SELECT") return [...field.options].some(option => option.selected !== option.defaultSelected) && beginning(what) !== null;
  return field.value !== field.defaultValue;
}

function keepDraft(what, form) {
  const before = drafts.has(what);
  const fields = fieldsWith(form, values[what].kept).filter(one => differs(one, what))
    .map(one => ({ part: partOf(one), name: one.name, ...(one.type === "checkbox" ? { checked: one.checked } : { value: one.value }) }));
  if (fields.length) drafts.set(what, { form, by: state.me.name, fields });
  else drafts.delete(what);
  if (before !== drafts.has(what)) redraw();
}

// Over a reload: what was typed into each form, and from which note it was begun.
keeps("forms", {
  now: () => {
    const whats = Object.keys(values).filter(what => drafts.has(what) || values[what].dirty?.() && begun.has(what));
    return whats.length ? whats.map(what => ({ what, fields: drafts.get(what)?.fields ?? [], from: begun.get(what)?.number ?? null })) : null;
  },
  back: typed => {
    for (const one of [begun, overtaken, drafts]) one.clear();
    for (const { what, fields, from } of typed ?? []) {
      if (fields.length) drafts.set(what, { form: null, by: state.me.name, fields });
      if (from !== null) begun.set(what, { number: from, form: null });
    }
  },
});

// Whether something was typed into a form that is not stored, also if its page was left meanwhile.
export const drafted = what => drafts.has(what);

// Forms that have come again, after another page was looked at, hold what was typed into them before.
export function fillDrafts() {
  for (const [what, draft] of drafts) {
    const form = document.getElementById(values[what].form);
    if (state.me.name && draft.by !== state.me.name) forget(what); // somebody else has logged in
    else if (form && form !== draft.form) {
      const there = fieldsWith(form, values[what].kept);
      for (const { part, name, ...typed } of draft.fields) Object.assign(there.find(one => one.name === name && partOf(one) === part) ?? {}, typed);
      draft.form = form;
      if (begun.has(what)) begun.get(what).form = form;
    }
  }
}

// Stores what was typed; null if it was not, and why is said where it is typed. `over`: the version that it shall replace.
export async function saveWhole(what, body, done, over) {
  const text = JSON.stringify(body);
  while (sending.has(what)) {
    if (sending.get(what).text === text) return null; // pressed twice
    await sending.get(what).ended; // something else was typed meanwhile: it follows
    over = undefined;
  }
  let end;
  sending.set(what, { text, ended: new Promise(ended => { end = ended; }) });
  const form = document.getElementById(values[what].form), typed = form && typedText(form);
  try {
    const said = await values[what].send({ ...body, based_on: over ?? beginning(what) ?? standing(what) });
    own.set(what, said.number);
    begun.delete(what);
    overtaken.delete(what);
    if (form && typedText(form) === typed) {
      drafts.delete(what);
      if (!values[what].dirty) settle(form);
    }
    toast(done);
    return said;
  } catch (error) {
    if (error.code === "overtaken") {
      if (beginning(what) === null) toast(fasterText(error.values), true); // nothing was typed: what stands there is shown now
      else {
        overtaken.set(what, error.values);
        unread.add(what);
      }
      await values[what].load();
    } else {
      toast(refusal(error), true);
    }
    return null;
  } finally {
    sending.delete(what);
    end();
    redraw();
  }
}

const typedText = form => new URLSearchParams(new FormData(form)).toString();

// What stands in a form is stored, though the page has not heard of it yet: its fields begin with it, and show what others store after it.
function settle(form) {
  for (const one of form.elements) {
    if (one.tagName === "SELECT") for (const option of one.options) option.defaultSelected = option.selected;
    else if (one.type === "checkbox") one.defaultChecked = one.checked;
    else if (one.name) one.defaultValue = one.value;
  }
  form.reset();
}

// Whether something stands in a form that is not stored: what is done by the value would be done without it.
export function unsaved(what) {
  const form = document.getElementById(values[what].form);
  if (!form || !fieldsWith(form).some(one => differs(one, what))) return false;
  toast(w("unsaved"), true);
  form.scrollIntoView({ block: "nearest" });
  return true;
}

const labelOf = (field, root) => {
  const label = (field.closest("label") ?? root.querySelector(`label[for="${field.id}"]`)).cloneNode(true);
  label.querySelectorAll("input, select, textarea, small").forEach(one => one.remove());
  return label.textContent.replace(/\s+/g, " ").trim();
};
const textOf = field => field.type === "checkbox" ? w(field.checked ? "yes" : "no") : (field.tagName === "SELECT" ? field.selectedOptions[0]?.textContent.trim() : field.value.trim()) || w("empty");

// What stands in each field, by its name and the part of the form that it is in.
function fieldsOf(root) {
  const found = new Map();
  for (const field of root.querySelectorAll("input[name], select[name], textarea[name]")) {
    const part = partOf(field);
    found.set(`${part} ${field.name}`, { name: field.name, label: [part, labelOf(field, root)].filter(Boolean).join(", "), text: textOf(field) });
  }
  return found;
}

const MANY = 12;

function differencesHtml(typed, stored, names = null) {
  const root = document.createElement("div");
  put(root, stored);
  const [mine, theirs] = [fieldsOf(typed), fieldsOf(root)];
  const found = [...new Map([...mine, ...theirs]).keys()].filter(key => mine.get(key)?.text !== theirs.get(key)?.text && (!names || names.includes(mine.get(key)?.name)));
  if (!found.length) return html`<p>${w("same")}</p>`;
  return html`<ul>${found.slice(0, MANY).map(key => html`<li><b>${(mine.get(key) ?? theirs.get(key)).label}</b>
    <span>${w("stored")}: <em>${theirs.get(key)?.text ?? w("empty")}</em></span> <span>${w("typed")}: <em>${mine.get(key)?.text ?? w("empty")}</em></span></li>`)}</ul>
    ${found.length > MANY ? html`<p>${w("more", { n: found.length - MANY })}</p>` : ""}`;
}

export const fasterText = ({ name, at, undone }) => w(undone ? "taken_back" : "overtaken", { name: name || w("somebody"), time: timeText(at) });

// Beside a form on the page: that something is not stored yet; or who was faster, what is stored now, and which of both shall count.
export function overtakenHtml(what) {
  const faster = overtaken.get(what), from = beginning(what), typed = document.getElementById(values[what].form);
  if (!faster || !typed || from === null || from === shown(what)) return values[what].dirty ? "" : draftHtml(what);
  if (unread.delete(what)) requestAnimationFrame(() => typed.querySelector(".overtaken")?.scrollIntoView({ block: "nearest" }));
  return html`<div class="overtaken wide" role="alert"><p class="warn">${fasterText(faster)}</p>${differencesHtml(typed, values[what].fields())}
    <p class="row"><button type="button" data-do="saveMine" data-what="${what}">${w("save_mine")}</button>
      <button type="button" data-do="takeTheirs" data-what="${what}">${w("keep_theirs")}</button></p></div>`;
}

const draftHtml = what => drafts.has(what) ? html`<p class="row wide"><span class="warn">${s("unsaved")}</span>
    <button type="button" data-do="takeTheirs" data-what="${what}">${w("throw_away")}</button></p>` : "";

function forget(what) {
  begun.delete(what);
  drafts.delete(what);
  overtaken.delete(what);
}

export const savedButtons = {
  saveMine: element => values[element.dataset.what].save(shown(element.dataset.what)),
  takeTheirs: element => {
    const { what } = element.dataset;
    forget(what);
    (values[what].take ?? (() => document.getElementById(values[what].form).reset()))();
    redraw();
  },
};

// The same in a dialog, which stays open with all that was typed until it is stored or given up.
//   stored: what is stored now; head, fields: the form of it; send: stores what was typed over what was shown;
//   names: the fields that were changed, where only these are stored.
export function wholeForm({ stored, head, fields, yes, send, load = () => loadSetup(true), names = () => null }) {
  let over = stored();
  const first = over;
  return form(html`${head}${fields(over)}`, yes, "", async (data, typed) => {
    try {
      await send(data, over, first);
      return null;
    } catch (error) {
      if (error.code !== "overtaken") return refusal(error);
      await load();
      over = stored() ?? over;
      return html`<div class="overtaken"><p class="warn">${fasterText(error.values)}</p>${differencesHtml(typed, fields(over), names(data, first))}
        <p class="row"><button value="yes">${w("save_mine")}</button> <button value="no" formnovalidate>${w("keep_theirs")}</button></p></div>`;
    }
  });
}
