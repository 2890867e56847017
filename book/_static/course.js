/* What is wider than the page scrolls: such a part says so, and can be reached by the keyboard. */
(() => {
  "use strict";

  const WIDE = "div.math, .math-long, .cell_output, figure .figure-scroll, .pst-scrollable-table-container, .dpteach-scroll, div.highlight pre";

  const watch = (part) => {
    const say = () => {
      const rest = part.scrollWidth - part.clientWidth;
      const scrolls = rest > 1;
      part.classList.toggle("scrolls", scrolls);
      part.classList.toggle("has-more", scrolls && part.scrollLeft < rest - 1);
      if (scrolls) part.tabIndex = 0;
      else part.removeAttribute("tabindex");
    };
    new ResizeObserver(say).observe(part);
    part.addEventListener("scroll", say, { passive: true });
    for (const image of part.querySelectorAll("img")) image.addEventListener("load", say);
    say();
  };

  const start = () => document.querySelectorAll(WIDE).forEach(watch);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
  document.fonts.ready.then(() => dispatchEvent(new Event("resize")));
})();
