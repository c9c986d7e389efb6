// The page's words: those of the program's catalogues, which the service sends (/api/words); none stands in the page itself.

let language = localStorage.getItem("language") ?? "de";
let words = JSON.parse(localStorage.getItem("words") ?? "{}"); // the last ones, for a page that finds no service

export const current = () => words[language] ? language : "de";
export const names = () => Object.keys(words);

// The language that the key brings.
export const next = () => names()[(names().indexOf(current()) + 1) % names().length] ?? "de";

export function choose(other) {
  language = other;
  localStorage.setItem("language", other);
  document.documentElement.lang = other;
}

// Speaks this language on this page alone, whatever was chosen on the device.
export function speak(other) {
  language = other;
}

export async function loadWords() {
  words = await (await fetch("/api/words", { cache: "no-store" })).json();
  localStorage.setItem("words", JSON.stringify(words));
}

export const has = (subject, code) => words[current()]?.[subject]?.[code] !== undefined;

// The text of a code, filled in. A text with a form for the number 1 goes by `n`; a code without a text is shown as it is.
export function say(subject, code, fill = {}, spoken = current()) {
  const text = words[spoken]?.[subject]?.[code] ?? String(code);
  const chosen = Array.isArray(text) ? text[fill.n === 1 ? 0 : 1] : text;
  return chosen.replace(/\{(\w+)\}/g, (place, name) => fill[name] ?? place);
}

export const t = (code, fill) => say("page", code, fill);
export const s = (code, fill) => say("page_setup", code, fill);

export const locale = () => say("language", "locale");
export const list = items => items.join(", ");

// Several texts as one, two and two: "a und b".
export const joined = (texts, how) => texts.reduce((one, other) => s(how, { one, other }));

// A refusal's values, with its reason in the page's language where there is one.
export const spoken = (values = {}) => ({ ...values, why: values[`why_${current()}`] ?? values.why });

// What the service refused, in the page's language where it has the words.
export const failure = error => has("page_failures", error.code) ? say("page_failures", error.code, error.values)
  : ["bundles", "parcels"].filter(subject => has(subject, error.code)).map(subject => say(subject, error.code, spoken(error.values)))[0] ?? t("error", { why: error.message });
