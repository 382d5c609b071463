// The replay of a search is a page in a frame that may do nothing but run: it is told whether the studio is light
// or dark, when it has loaded and when that changes.
(() => {
  const tell = (frame) => {
    const theme = document.body.classList.contains("body--dark") ? "dark" : "light";
    frame.contentWindow?.postMessage({ theme }, "*");
  };
  const frame = (el) => el instanceof HTMLIFrameElement && el.classList.contains("tree-replay");
  document.addEventListener("load", (e) => { if (frame(e.target)) tell(e.target); }, true);
  document.addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
    document.querySelectorAll("iframe.tree-replay").forEach(tell);
  }).observe(document.body, { attributes: true, attributeFilter: ["class"] }));
  // A tree on a phone is wider than its card: the middle, where the root is, comes into sight first.
  document.addEventListener("load", (e) => {
    const board = e.target instanceof HTMLImageElement && e.target.matches(".drawn-tree") && e.target.closest(".board");
    if (board) board.scrollLeft = (board.scrollWidth - board.clientWidth) / 2;
  }, true);
})();
