// What was said, laid, signed or ruled, in words.

import { cardText, gameText } from "./text.js";
import { say, t } from "./words.js";

export function eventText(event, card, german, spoken = []) {
  const who = event.seat ? `${card.players[event.seat - 1] ?? event.seat}: ` : "";
  const e = (key, fill) => say("page_events", key, fill);
  switch (event.event) {
    case "call": return who + say("calls", event.call);
    case "announce": return who + say("calls", event.call) + (event.side ? ` (${say("calls", event.side)})` : "");
    case "bid": return who + (event.class ? say("games", event.class) : say("calls", "no_higher"));
    case "declare": return who + gameText(event, german) + (event.card ? ` ${t("calls_card")} ${cardText(event.card, german)}` : "") + (event.duty ? ` (${t("duty_short")})` : "")
      + (event.partner ? ` – ${card.players[event.partner - 1] ?? event.partner}` : "") + (event.trumps !== undefined ? `, ${e("trumps_back", { n: event.trumps })}` : "");
    case "substitute": return e("substitute", { name: event.player, seat: event.seat });
    case "name": return e("name", { name: event.player, seat: event.seat });
    case "leave": return who + e(event.granted ? "leave_yes" : "leave_no");
    case "retract": return who + e("retract", { card: event.card ? cardText(event.card, german) : "" });
    case "claim": return who + e(event.kind === "concede" ? "claim_concede" : "claim_rest");
    case "object": return who + e("object") + (event.code ? `: ${say("reasons", event.code)}` : "")
      + (event.against ? ` – ${card.players[event.against - 1]}` : "");
    case "rule": if (event.class === "none" && event.minutes) return e("extra", { n: event.minutes }) + (event.why ? ` (${event.why})` : "");
      return e("rule") + `: ${say("page_classes", event.class)}`
      + (event.offender ? ` – ${card.players[event.offender - 1]}` : "") + (event.minutes ? `, ${e("extra", { n: event.minutes })}` : "")
      + (event.why ? ` (${event.why})` : "");
    case "deal": return e("deal", { name: card.players[event.dealer - 1] ?? event.dealer });
    case "correct": if ("word" in event) {
      const said = spoken.find(one => one.event === event.of)?.said;
      const instead = event.word ? eventText(event.word, card, german) : t("not_said");
      return e("put_right") + (said ? `: ${eventText(said, card, german)} → ${instead}` : `: ${instead}`) + (event.why ? ` (${event.why})` : "");
    }
      return e("correct", { card: event.card ? cardText(event.card, german) : e("no_card") });
    case "strike": return e("strike", { game: event.game });
    case "sign": return who.replace(": ", " ") + e("sign");
    default: return who + e(event.event);
  }
}
