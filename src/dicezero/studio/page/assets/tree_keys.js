(e) => {
  // Keys of the tree: up and down walk, right opens, left closes or goes to the parent, Enter does either.
  const node = e.target.closest("[data-path]");
  if (!node || e.ctrlKey || e.metaKey || e.altKey) return;
  const all = [...node.closest("[role=tree]").querySelectorAll("[data-path]")];
  const at = all.indexOf(node), open = node.getAttribute("aria-expanded"), path = node.dataset.path;
  const go = (to) => { if (to) { node.tabIndex = -1; to.tabIndex = 0; to.focus(); } };
  const parent = () => all.slice(0, at).reverse().find((n) => Number(n.ariaLevel) < Number(node.ariaLevel));
  if (e.key === "ArrowDown") go(all[at + 1]);
  else if (e.key === "ArrowUp") go(all[at - 1]);
  else if (e.key === "Home") go(all[0]);
  else if (e.key === "End") go(all[all.length - 1]);
  else if (e.key === "ArrowRight") { if (open === "false") emit([path, "open"]); else if (open) go(all[at + 1]); }
  else if (e.key === "ArrowLeft") { if (open === "true") emit([path, "close"]); else go(parent()); }
  else if (e.key === "Enter" || e.key === " ") emit([path, "toggle"]);
  else return;
  e.preventDefault();
  e.stopPropagation();
}
