// Making text safely: a template that escapes, and how cards, clocks and times are written.

import { current, t } from "./words.js";

class Safe {
  constructor(text) { this.text = text; }
  toString() { return this.text; }
}

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function piece(value) {
  if (value === null || value === undefined || value === false) return "";
  if (value instanceof Safe) return value.text;
  if (Array.isArray(value)) return value.map(piece).join("");
  return String(value).replace(/[&<>"']/g, sign => escapes[sign]);
}

// HTML with every value escaped, except what another `html` made.
export function html(strings, ...values) {
  return new Safe(strings.reduce((text, part, i) => text + piece(values[i - 1]) + part));
}

// Sets an element's content only if it differs, so that nothing flickers and no touch is lost.
export function put(element, content) {
  const text = piece(content);
  if (element.shown !== text) {
    element.innerHTML = text;
    element.shown = text;
  }
}

const suits = { C: "♣", S: "♠", H: "♥", D: "♦", E: "E", G: "G" };
const ranks = { A: "A", T: "10", K: "K", Q: "D", J: "B", O: "O", U: "U", 9: "9", 8: "8", 7: "7" };

// "eppstein 4.2.4" → "Eppstein 4.2.4"
export const sectionText = section => section.charAt(0).toUpperCase() + section.slice(1);
export const suitSign = suit => suits[suit] ?? suit;
export const cardText = card => suits[card[0]] + ranks[card[1]];

export function cardFace(card, doubt) {
  const red = card[0] === "H" || card[0] === "D";
  return html`<span class="face ${red ? "red" : ""} ${doubt ? "doubt" : ""}">${cardText(card)}</span>`;
}

// 7325 → 2:02:05, 59 → 0:59, -70 → +1:10 (over)
export function clockText(seconds) {
  const over = seconds < 0;
  const whole = over ? Math.floor(-seconds) : Math.ceil(seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = number => String(number).padStart(2, "0");
  return (over ? "+" : "") + (h ? `${h}:${two(m)}` : m) + `:${two(s)}`;
}

export function timeText(ms) {
  if (!ms) return t("never");
  const date = new Date(ms);
  const today = new Date().toDateString() === date.toDateString();
  const locale = current() === "de" ? "de-DE" : "en-GB";
  return date.toLocaleString(locale, today ? { hour: "2-digit", minute: "2-digit" } : { day: "numeric", month: "numeric", hour: "2-digit", minute: "2-digit" });
}
