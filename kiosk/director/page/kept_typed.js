// What was typed and is not saved, kept for this tab: its page may be loaded anew, or die. Told apart by account and tournament, gone when somebody logs out.
// Whole values and a club's own book are kept, never a password or code: these are asked for in dialogs, which keep nothing.

import { state } from "./live.js";

const KEY = "stichwart typed";
const kept = {}; // what → { now: what is typed, null for nothing; back: puts it back, or null }
export const keeps = (what, way) => { kept[what] = way; };

let all = {}, written = "{}", broughtTo = "";
try {
  all = JSON.parse(sessionStorage.getItem(KEY)) ?? {};
} catch { /* the browser keeps nothing, or what is there is not ours */ }

const whose = () => state.me.name ? JSON.stringify([state.me.name, state.me.tournament]) : "";

// Puts back what this account has typed in this tournament, once it is known whose page it is; somebody else's goes.
export function bringBack() {
  const who = whose();
  if (!who || who === broughtTo) return;
  for (const [what, way] of Object.entries(kept)) {
    const typed = all[who]?.[what] ?? null;
    if (typed !== null || broughtTo) way.back(typed);
  }
  broughtTo = who;
}

export function keepTyped() {
  const who = whose();
  if (!who || who !== broughtTo) return;
  const now = Object.entries(kept).map(([what, way]) => [what, way.now()]).filter(([, typed]) => typed !== null);
  all[who] = Object.fromEntries(now);
  if (!now.length) delete all[who];
  write();
}

export function forgetTyped() {
  [all, broughtTo] = [{}, ""];
  write();
}

function write() {
  const text = JSON.stringify(all);
  if (text === written) return;
  written = text;
  try {
    sessionStorage.setItem(KEY, text);
  } catch { /* no room: it stays on the page alone */ }
}
