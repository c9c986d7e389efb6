// What a page shows that is asked for once and again while tables change, at most once a second.

import { redraw } from "./draw.js";

export function loader(path, loaded = () => {}) {
  const held = { data: null, failed: "" };
  let asked = -Infinity, timer = null, last = "", count = 0;

  // Asks again; `now` at once, for something that a button has changed.
  function refresh(now = false) {
    if (now) {
      clearTimeout(timer);
      timer = null;
    }
    if (timer) return;
    timer = setTimeout(async () => {
      timer = null;
      asked = performance.now();
      const where = path();
      if (!where) return;
      const mine = ++count;
      try {
        const answer = await fetch(where, { cache: "no-store" });
        const said = await answer.json();
        if (mine !== count) return;  // an answer that a later one may have overtaken is old
        held.data = answer.ok ? said : null;
        held.failed = answer.ok ? "" : said.message ?? String(answer.status);
        const text = JSON.stringify([where, said]);
        if (text !== last) {
          last = text;
          loaded(held.data);
          redraw();
        }
      } catch { /* the page says already that the service is away */ }
    }, now ? 0 : Math.max(0, 1000 - (performance.now() - asked)));
  }
  return { held, refresh };
}
