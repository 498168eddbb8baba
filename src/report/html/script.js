// Filters, copy buttons and marks that lead to their claims. The page says all it has to say without it.
(() => {
  "use strict";
  const form = document.getElementById("filter");
  const copyable = document.querySelectorAll("pre.commands");
  if (!form) return;

  const cards = Array.from(document.querySelectorAll("details.card"));
  const texts = new Map();
  const text = (card) => {
    if (!texts.has(card)) texts.set(card, card.textContent.toLowerCase());
    return texts.get(card);
  };
  const showing = document.getElementById("showing");
  let picked = null;

  const apply = () => {
    const values = new FormData(form);
    const words = (values.get("words") || "").toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = ["verdict", "kind", "check", "file"]
      .map((name) => [name, values.get(name)])
      .filter(([, value]) => value);
    const fits = (card) =>
      (!picked || picked.has(card.id)) &&
      wanted.every(([name, value]) =>
        name === "check" ? card.dataset.check.split(" ").includes(value) : card.dataset[name] === value) &&
      words.every((word) => text(card).includes(word));
    let shown = 0;
    for (const card of cards) {
      card.hidden = !fits(card);
      if (!card.hidden) shown += 1;
    }
    for (const part of document.querySelectorAll(".document, .group")) {
      part.hidden = !part.querySelector("details.card:not([hidden])");
    }
    showing.textContent = form.dataset.showing.replace("{shown}", shown).replace("{all}", cards.length);
  };

  const reveal = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id && document.getElementById(id);
    if (!target) return;
    if (target.matches("details.card")) {
      if (target.hidden) form.reset();
      target.open = true;
      target.querySelector("summary").focus({ preventScroll: true });
    }
    target.scrollIntoView({ block: "start" });
  };

  let waiting = 0;
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 60);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => {
    picked = null;
    setTimeout(apply, 0);
  });
  const openAll = document.getElementById("open-all");
  openAll.addEventListener("click", () => {
    const open = openAll.getAttribute("aria-pressed") !== "true";
    openAll.setAttribute("aria-pressed", String(open));
    for (const card of cards) card.open = open && !card.hidden;
  });

  for (const mark of document.querySelectorAll("a[data-claims]")) {
    mark.addEventListener("click", (event) => {
      const ids = mark.dataset.claims.split(" ");
      if (ids.length < 2) return;
      event.preventDefault();
      form.reset();
      picked = new Set(ids);
      setTimeout(() => {
        apply();
        document.getElementById("claims").scrollIntoView();
      }, 0);
    });
  }

  const say = (button, id) => { button.textContent = form.dataset[id]; };
  const copy = async (block, button) => {
    const command = block.querySelector("code").textContent;
    try {
      await navigator.clipboard.writeText(command);
    } catch {
      // Files opened from a disk may have no clipboard; a selection can be copied by hand.
      getSelection().selectAllChildren(block.querySelector("code"));
      if (!document.execCommand("copy")) return;
    }
    say(button, "copied");
    setTimeout(() => say(button, "copy"), 1500);
  };
  const withButton = (block) => {
    if (block.querySelector("button")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    say(button, "copy");
    button.addEventListener("click", () => copy(block, button));
    block.append(button);
  };
  // Buttons are made where somebody looks, not thousands at once.
  for (const card of cards) {
    card.addEventListener("toggle", () => card.querySelectorAll("pre.commands").forEach(withButton), { once: true });
  }
  for (const block of copyable) if (!block.closest("details.card")) withButton(block);

  form.hidden = false;
  addEventListener("hashchange", reveal);
  apply();
  reveal();
})();
