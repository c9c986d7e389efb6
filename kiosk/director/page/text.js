// Making text safely: templates, and how cards, clocks and times are written.

import { html, render } from "./lit/lit-html.js";
import { locale, s, say, t } from "./words.js";

export { html };

// Shows a template in an element: only what differs from the last one is touched, so that focus, presses and typed text stay.
export const put = (element, content) => render(content, element);

const suitSign = suit => say("suit_signs", suit);
const rankSign = rank => say("rank_signs", rank);
// Bavarian suits, drawn: acorn, leaf, heart, bell.
const bavarian = {
  E: html`<svg viewBox="0 0 16 16" class="suit"><path d="M8 .8v2.4" stroke="#5b3a1c" stroke-width="1.4" fill="none"/><path d="M3.2 7a4.8 4 0 0 1 9.6 0z" fill="#7a4f25"/><path d="M4 7.4h8c0 3.6-1.8 6-4 7.8-2.2-1.8-4-4.2-4-7.8z" fill="#c98a3b"/></svg>`,
  G: html`<svg viewBox="0 0 16 16" class="suit"><path d="M8 .8C3.6 4 1.6 7.2 3 10.2c1 2.1 3.4 2 4.6.8L7.2 15h1.6l-.4-4c1.2 1.2 3.6 1.3 4.6-.8 1.4-3-.6-6.2-5-9.4z" fill="#2f7d3b"/></svg>`,
  H: html`<svg viewBox="0 0 16 16" class="suit"><path d="M8 14.8C3.4 10.8 1 8.4 1 5.4 1 3 2.700 1.4 4.700 1.4c1.4 0 2.6.8 3.3 2 .7-1.2 1.900-2 3.3-2C13.3 1.4 15 3 15 5.4c0 3-2.4 5.4-7 9.4z" fill="#c2281e"/></svg>`,
  S: html`<svg viewBox="0 0 16 16" class="suit"><circle cx="8" cy="8" r="6.6" fill="#e2b12c" stroke="#8a6410"/><path d="M1.6 7.2h12.8M8 8.6v5.6" stroke="#8a6410" stroke-width="1.3" fill="none"/><circle cx="8" cy="10" r="1.1" fill="#8a6410"/></svg>`,
};

// "eppstein 4.2.4" → "Eppstein 4.2.4", "schnittchen Pokale" → "Schnittchen „Pokale“"
export function sectionText(section) {
  const [, book, number] = /^(\S*) ?(.*)$/.exec(section);
  const named = say("books", book);
  const name = named !== book ? named : book.charAt(0).toUpperCase() + book.slice(1);
  if (!number) return name;
  return /^(\d|I{1,3} )/.test(number) ? `${name} ${number}` : `${name} „${number}“`;
}
// A book's title; of a club's own that was changed since, that it is an earlier state.
export const bookTitle = ({ title, earlier }) => earlier ? s("earlier_state", { title }) : title;
export const suitName = (suit, german) => say(german ? "bavarian_suits" : "suits", suit);
export const cardText = (card, german) => german ? `${suitName(card[0], true)} ${rankSign(card[1])}` : suitSign(card[0]) + rankSign(card[1]);

export function cardFace(card, doubt, german) {
  const red = !german && (card[0] === "H" || card[0] === "D");
  return html`<span class="face ${red ? "red" : ""} ${doubt ? "doubt" : ""}" role="img" aria-label="${suitName(card[0], german)} ${rankSign(card[1])}" title="${suitName(card[0], german)} ${rankSign(card[1])}">${german ? html`${bavarian[card[0]]}${rankSign(card[1])}` : cardText(card)}</span>`;
}

// A game as it was named: "Solo Schellen", "Rufspiel Eichel A".
export function gameText(game, german) {
  const words = [say("games", game.kind ?? game.game)];
  if (game.suit) words.push(suitName(game.suit, german));
  return words.join(" ");
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
  return date.toLocaleString(locale(), today ? { hour: "2-digit", minute: "2-digit" } : { day: "numeric", month: "numeric", hour: "2-digit", minute: "2-digit" });
}
