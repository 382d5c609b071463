// Keys of the board: digits press the move that shows them, arrows walk to the next move on that side, Enter or
// Space presses the one in focus, Escape lets a move go; every other key presses the visible element that carries
// it as data-key. Arrow keys that are moves themselves are played, and may be swiped; those that come faster than
// the board is drawn wait for it. What is drawn anew under a finger or under the focus, because a grade has come
// or a tree has grown, hands both on to its successor.
(() => {
  const seen = (el) => el.getClientRects().length > 0;
  const moves = () => [...document.querySelectorAll(".board .move")].filter(seen);
  const press = (el) => el.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const typing = (el) => el.closest("input, textarea, select, [role=combobox], [role=listbox], [role=slider]");
  const keyed = (key) => [...document.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)].find((b) => seen(b) && !b.disabled);
  const ways = { ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowUp: [0, -1] };
  const middle = (el) => {
    const box = (el.querySelector(".touch") ?? el).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  let last = null; // where the move last in focus was, and the cell it belongs to
  let held = false; // whether the board had the focus when it was drawn anew
  let row = null; // what finds the row of a list, a table or a tree that had it
  let down = null; // what a click was begun on, what finds its successor, and where

  // What finds the successor of an element that can be clicked, whatever it is drawn by: what it stands for, and
  // the element around it that stays, for a verdict names the move that the list of moves has a button for.
  const rows = ["ply", "line", "path", "shot", "play", "pick", "game"], all_kinds = ["action", "answer", ...rows];
  const meaning = (el, kinds) => {
    for (const kind of kinds) {
      const own = el.closest(`[data-${kind}]`), home = own?.parentElement.closest("[id]");
      if (home) return `#${CSS.escape(home.id)} [data-${kind}="${CSS.escape(own.getAttribute(`data-${kind}`))}"]`;
    }
    return null;
  };
  const successor = (selector) => [...document.querySelectorAll(selector)].find(seen);

  // Moves that are keys: the next one is pressed when what the last one was pressed on has been drawn anew.
  let waiting = [], pressed_on = null;
  const sliding = () => [...document.querySelectorAll(".board-holder .board.swipes")].find(seen);
  const let_go = () => { waiting = [], pressed_on = null; };
  const slide = (key) => {
    waiting.push(key);
    if (waiting.length > 8) waiting.shift();
    slide_on();
  };
  const slide_on = () => {
    while (waiting.length && !pressed_on?.isConnected) {
      const board = sliding();
      if (!board?.querySelector(".move")) return; // the program is at it, or the game is over
      const button = keyed(waiting.shift());
      if (button) pressed_on = board, press(button);
    }
  };

  // The move that lies nearest in a direction, those straight ahead first.
  const next = (all, here, [dx, dy]) => {
    if (!here) return dx + dy > 0 ? all[0] : all[all.length - 1];
    const [x, y] = middle(here);
    let best = null, least = Infinity;
    for (const one of all) {
      const [u, v] = middle(one);
      const along = (u - x) * dx + (v - y) * dy, across = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
      if (one === here || along < 4) continue;
      const cost = along + 3 * across;
      if (cost < least) [best, least] = [one, cost];
    }
    if (best || here.closest(".grid")) return best ?? here;
    return all[(all.indexOf(here) + (dx + dy > 0 ? 1 : all.length - 1)) % all.length];
  };

  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || typing(e.target)) return;
    const all = moves();
    const here = all.find((m) => m === document.activeElement);
    const way = ways[e.key];
    if (way && e.target.closest("[role=tablist], .q-menu")) return;
    if (way && sliding()) slide(e.key);
    else if (way && all.length) next(all, here, way).focus();
    else if ((e.key === "Enter" || e.key === " ") && here) press(here);
    else if (/^[1-9]$/.test(e.key)) {
      const one = all.find((m) => m.dataset.number === e.key);
      if (!one) return;
      press(one);
    } else if (e.key === "Escape") {
      const chosen = document.querySelector(".board .chosen") ?? document.querySelector('.board [aria-label="take back"]');
      if (!chosen) return;
      press(chosen);
    } else if (e.key.length === 1 && e.key !== " ") {
      const button = keyed(e.key);
      if (!button) return;
      let_go();
      button.click();
    } else return;
    e.preventDefault();
  });

  let from = null; // where a finger came down
  document.addEventListener("pointerdown", (e) => {
    from = e.target.closest(".board.swipes svg") ? [e.clientX, e.clientY] : null;
    down = { el: e.target, selector: meaning(e.target, all_kinds), at: [e.clientX, e.clientY] };
    if (!from) let_go();
    held = false, row = null; // until the focus comes to what was pressed
  });
  // The browser makes no click of a press and a release on two elements, though the second stands for the first.
  document.addEventListener("pointerup", (e) => {
    const begun = down;
    down = null;
    if (!begun?.selector || begun.el.isConnected) return;
    if (Math.hypot(e.clientX - begun.at[0], e.clientY - begun.at[1]) > 8) return;
    const one = successor(begun.selector);
    if (one) press(one);
  });
  document.addEventListener("pointerup", (e) => {
    if (!from) return;
    const [dx, dy] = [e.clientX - from[0], e.clientY - from[1]];
    from = null;
    if (Math.max(Math.abs(dx), Math.abs(dy)) < 24) return;
    const key = Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? "ArrowRight" : "ArrowLeft") : dy > 0 ? "ArrowDown" : "ArrowUp";
    slide(key);
  });

  document.addEventListener("focusin", (e) => {
    const move = e.target.closest(".board .move");
    held = !!move;
    if (move) last = { at: middle(move), cell: move.dataset.cell };
    row = move ? null : meaning(e.target, rows);
  });
  new MutationObserver(() => {
    slide_on();
    if (document.activeElement !== document.body) return;
    if (row) successor(row)?.focus({ preventScroll: true });
    if (!held || !last) return;
    const all = moves().filter((m) => !m.dataset.answer); // nobody doubles by a key meant for the board
    const far = (m) => { const [x, y] = middle(m); return Math.hypot(x - last.at[0], y - last.at[1]); };
    const same = last.cell && all.find((m) => m.dataset.cell === last.cell);
    const one = same || all.sort((a, b) => far(a) - far(b))[0];
    if (one) one.focus({ preventScroll: true });
  }).observe(document.documentElement, { childList: true, subtree: true });
})();
