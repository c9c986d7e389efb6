// When the page is drawn: at most once a frame, not while something is pressed, and the focus stays where it is or near it.

const FOCUSABLE = "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary";
const LONGEST_PRESS_MS = 2000;

let draw = () => {}, queued = false, held = null, waiting = false;

export const drawBy = call => { draw = call; };

// Draws soon, however often it is asked for meanwhile.
export function redraw() {
  if (held) waiting = true;
  else if (!queued) {
    queued = true;
    (document.hidden ? setTimeout : requestAnimationFrame)(() => {
      queued = false;
      if (held) waiting = true;
      else drawNow();
    });
  }
}

export function drawNow() {
  const before = document.activeElement, way = [];
  for (let one = before; one && one !== document.body; one = one.parentElement) way.push(one);
  draw();
  if (way.length && !before.isConnected) {
    const near = way.find(one => one.isConnected && one.querySelector(FOCUSABLE));
    (near?.querySelector(FOCUSABLE) ?? document.getElementById("main")).focus({ preventScroll: true });
  }
}

// Between press and release nothing moves: the release is for what was pressed.
function hold() {
  clearTimeout(held);
  held = setTimeout(letGo, LONGEST_PRESS_MS);
}

function letGo() {
  clearTimeout(held);
  held = null;
  if (waiting) {
    waiting = false;
    redraw();
  }
}

addEventListener("pointerdown", hold, true);
for (const end of ["pointerup", "pointercancel", "blur"]) addEventListener(end, () => held && setTimeout(letGo, 50), true);
