// Keys of the board: 1-9 play a move, arrows walk over the moves, Enter or Space plays the one in focus;
// letters press the visible button that carries them as data-key.
(() => {
  const moves = () => [...document.querySelectorAll(".board [data-action]")].filter((m) => m.getClientRects().length);
  const press = (el) => el.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const typing = (el) => el.closest("input, textarea, select, [role=combobox], [role=listbox], [role=slider]");
  let place = -1; // of the move last in focus
  let held = false; // whether the board had the focus when it was drawn anew

  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || typing(e.target)) return;
    const all = moves();
    const here = all.indexOf(document.activeElement);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (step && all.length && !e.target.closest("[role=tablist], .q-menu")) {
      place = here < 0 ? (step > 0 ? 0 : all.length - 1) : (here + step + all.length) % all.length;
      all[place].focus();
    } else if ((e.key === "Enter" || e.key === " ") && here >= 0) {
      press(all[here]);
    } else if (/^[1-9]$/.test(e.key) && all[e.key - 1]) {
      press(all[e.key - 1]);
    } else if (e.key.length === 1 && !e.target.closest("button:focus-visible") | /[a-z]/.test(e.key)) {
      const button = [...document.querySelectorAll(`[data-key="${CSS.escape(e.key)}"]`)].find(
        (b) => b.getClientRects().length && !b.disabled);
      if (!button) return;
      button.click();
    } else return;
    e.preventDefault();
  });

  document.addEventListener("focusin", (e) => { held = !!e.target.closest(".board [data-action]"); });
  new MutationObserver(() => {
    if (!held || document.activeElement !== document.body) return;
    const all = moves();
    if (all.length) all[Math.min(Math.max(place, 0), all.length - 1)].focus();
  }).observe(document.documentElement, { childList: true, subtree: true });
})();
