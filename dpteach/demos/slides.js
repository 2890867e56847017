// Slides for a hall: reveal.js, with keys for explorers and for the light.
(() => {
  "use strict";

  const root = document.documentElement;
  const slides = () => Reveal.getCurrentSlide();
  const sliders = () => [...slides().querySelectorAll(".dpteach-explorer-row input")];
  const held = () => document.activeElement?.closest(".dpteach-explorer");

  // --- dark or light -------------------------------------------------------------------------

  const shade = (name) => (root.dataset.theme = name);
  const asked = new URLSearchParams(location.search);
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  shade(asked.has("dark") || (dark && !asked.has("light")) ? "dark" : "light");

  // --- explorers -----------------------------------------------------------------------------

  // A number takes a slider, whose keys move it; Esc gives the keys back to the slides.
  const take = (number) => sliders()[number - 1]?.focus();
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const inside = held();
      if (event.key === "Escape" && inside) document.activeElement.blur();
      else if (event.key >= "1" && event.key <= "9" && sliders().length) take(Number(event.key));
      else if (event.key.toLowerCase() === "a" && slides().querySelector(".dpteach-explorer-answer")) {
        const answer = slides().querySelector(".dpteach-explorer-answer");
        answer.open = !answer.open;
      } else return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  for (const explorer of document.querySelectorAll(".dpteach-explorer")) {
    const rows = explorer.querySelectorAll(".dpteach-explorer-row").length;
    // all of them, each with its number
    for (const more of explorer.querySelectorAll(".dpteach-explorer-more")) more.open = true;
    const hint = document.createElement("p");
    hint.className = "hint";
    const answer = explorer.querySelector(".dpteach-explorer-answer") ? " · A: answer" : "";
    hint.textContent = `${rows === 1 ? "1" : `1–${rows}`}: slider · Esc: back${answer}`;
    explorer.querySelector(".dpteach-explorer-stage").append(hint);
  }

  // --- the slides ----------------------------------------------------------------------------

  Reveal.initialize({
    width: 1280,
    height: 720,
    margin: 0,
    center: false,
    display: "flex",
    hash: true,
    transition: "none",
    backgroundTransition: "none",
    slideNumber: "c/t",
    controlsTutorial: false,
    // what has the keys of an explorer keeps them
    keyboardCondition: () => !held(),
    // of a slide that does not say it; only with one does the speaker see how the time goes
    defaultTiming: 60,
    plugins: [RevealNotes],
  });
  Reveal.addKeyBinding({ keyCode: 68, key: "D", description: "Dark or light" }, () =>
    shade(root.dataset.theme === "dark" ? "light" : "dark"),
  );
  Reveal.registerKeyboardShortcut("1, 2, ...", "Take a slider");
  Reveal.registerKeyboardShortcut("A", "Answer of an explorer");
  Reveal.on("slidechanged", () => held() && document.activeElement.blur());
})();
