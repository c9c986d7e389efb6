// Somebody calls for the referee: heard, felt and read in the title, also while another page or program is looked at.

import { redraw } from "./draw.js";
import { state } from "./live.js";
import { html } from "./text.js";
import { list, t } from "./words.js";

const AGAIN_MS = 20000; // until a call that nobody has answered is heard again
const TONES = [[880, 0], [660, 0.22], [880, 0.44]]; // Hz, seconds after the beginning
const TONE_S = 0.2;

let waiting = [], audio = null;

// Who directs hears it unless he has turned it off on this device; who only looks on hears nothing unless he has turned it on.
const chosen = () => localStorage.getItem("sound");
const heard = () => (chosen() ?? (state.me.director ? "on" : "off")) === "on";

const calls = card => Boolean(card.objection || card.leave?.state === "asked" || (card.status?.referee && !card.status.coming));

// Looks whether a table has begun to call since the last time.
export function listen() {
  const now = [...state.cards.values()].filter(calls).map(card => card.table).sort((a, b) => a - b);
  const fresh = now.some(table => !waiting.includes(table));
  waiting = now;
  if (fresh) ring();
}

// What the title begins with while somebody waits.
export const callTitle = () => waiting.length ? `${t("calling", { n: waiting.length, tables: list(waiting) })} – ` : "";

function ring() {
  if (!heard()) return;
  navigator.vibrate?.([400, 150, 400]);
  if (!audio || audio.state !== "running") return; // browsers allow sound only after something was pressed
  for (const [pitch, after] of TONES) {
    const tone = audio.createOscillator(), volume = audio.createGain(), at = audio.currentTime + after;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.4, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + TONE_S);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + TONE_S);
  }
}

export const soundHtml = () => html`<button data-do="sound" class="slim" aria-pressed="${heard()}">${t(heard() ? "sound_on" : "sound_off")}</button>`;

export async function turnSound() {
  localStorage.setItem("sound", heard() ? "off" : "on");
  redraw();
  await unlock();
  if (heard()) ring(); // so that one knows how it sounds, and how loud
}

async function unlock() {
  audio ??= new AudioContext();
  await audio.resume();
}

for (const pressed of ["pointerup", "keydown"]) addEventListener(pressed, () => { if (heard() && audio?.state !== "running") unlock().catch(() => {}); }, true);
setInterval(() => { if (waiting.length) ring(); }, AGAIN_MS);
