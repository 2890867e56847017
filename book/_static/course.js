/* The script of all pages: hints at wide elements, explanations of terms, the marked entry of the contents, names of
   controls, marks of search results, the quick search, and printing. */
(() => {
  "use strict";

  const _ = bookMessage;
  const WIDE = "div.math, .math-long, .figure-scroll, .dpteach-explorer-room, " +
    ".pst-scrollable-table-container, .wide-table, div.highlight pre";

  /* Let an element that is wider than its column scroll: show a hint that it does, and let the keyboard reach it. */
  const watch = (part) => {
    let hint;
    const say = () => {
      const rest = part.scrollWidth - part.clientWidth;
      const scrolls = rest > 1;
      part.classList.toggle("scrolls", scrolls);
      const ended = part.scrollLeft >= rest - 1;
      part.classList.toggle("has-more", scrolls && !ended);
      if (scrolls && !hint && !part.matches(".math-long, div.math")) {
        hint = document.createElement("span");
        hint.className = "scroll-hint";
        hint.ariaHidden = "true";
        hint.textContent = _("Scroll sideways →");
        part.after(hint);
      }
      if (hint) {
        hint.hidden = !scrolls;
        hint.classList.toggle("at-end", ended);
      }
      if (scrolls) part.tabIndex = 0;
      else part.removeAttribute("tabindex");
    };
    new ResizeObserver(say).observe(part);
    part.addEventListener("scroll", say, { passive: true });
    for (const image of part.querySelectorAll("img")) image.addEventListener("load", say);
    say();
  };

  /* Let tables and figures wider than the text extend into the column with the contents of the page, and hide the
     contents while a wide element is beside them. */
  const useTheThird = () => {
    const third = document.querySelector(".bd-sidebar-secondary");
    const nested = ":is(details, .admonition, li, td, form, dd) *";
    const wide = [...document.querySelectorAll(
      `.bd-article :is(.figure-scroll, .pst-scrollable-table-container, .wide-table):not(${nested})`,
    )].filter((part) => !part.parentElement.closest(".wide-table"));
    for (const part of wide) {
      const image = part.querySelector("img");
      // the width at which the words in a picture are as large as the text around it
      const wished = image ? 1.2 * image.getAttribute("width") : part.scrollWidth;
      part.classList.toggle("beside", image ? wished > 640 : true);
    }
    if (!third) return;
    const look = () => {
      const box = third.firstElementChild?.getBoundingClientRect();
      const covers = (part) => {
        const own = part.getBoundingClientRect();
        return own.width && own.right > box.left && own.top < box.bottom && own.bottom > box.top;
      };
      third.classList.toggle("gives-room", Boolean(box) && wide.some(covers));
    };
    let due;
    const soon = () => (due ||= requestAnimationFrame(() => (due = look())));
    addEventListener("scroll", soon, { passive: true });
    addEventListener("resize", soon);
    new ResizeObserver(soon).observe(document.querySelector(".bd-article"));
    look();
  };

  /* Show the meaning of a glossary term while the mouse or the keyboard's focus is on it, until Escape is pressed. */
  const explain = (term) => {
    const tip = document.createElement("span");
    tip.className = "term-tip";
    tip.role = "tooltip";
    tip.id = `tip-${tips++}`;
    tip.textContent = term.title;
    tip.hidden = true;
    term.removeAttribute("title");
    term.setAttribute("aria-describedby", tip.id);
    term.after(tip);
    const show = () => {
      const box = term.getBoundingClientRect();
      tip.hidden = false;
      const left = Math.min(box.left, document.documentElement.clientWidth - tip.offsetWidth - 8);
      tip.style.left = `${Math.max(8, left)}px`;
      const above = box.top - tip.offsetHeight - 6;
      tip.style.top = `${above > 60 ? above : box.bottom + 6}px`;
    };
    const hide = () => (tip.hidden = true);
    term.addEventListener("pointerenter", show);
    term.addEventListener("pointerleave", hide);
    term.addEventListener("focus", show);
    term.addEventListener("blur", hide);
    /* focusing a term may scroll the page, so move the explanation along with the term instead of hiding it */
    const follow = () => tip.hidden || (term.matches(":hover, :focus") ? show() : hide());
    addEventListener("scroll", follow, { passive: true });
    document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  };
  let tips = 0;

  /* Mark the current section in the contents of the page: the last section that begins above the lower edge of the
     screen's upper third; at the page's end, the last section on the page; after following a link, the section that
     the link led to, while that is on the screen. The theme marks a section only if it scrolls through the upper
     third, and so misses sections that a long scroll skips; correct the mark whenever the theme changes it. */
  const markSections = () => {
    const contents = document.getElementById("pst-page-toc-nav");
    if (!contents) return;
    const entries = [...contents.querySelectorAll(".toc-entry")];
    const links = [...contents.querySelectorAll("a")];
    const parts = links
      .map((link) => decodeURIComponent(link.hash.slice(1)))
      .map((id) => document.getElementById(id));

    const current = () => {
      const ended = scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
      const top = (part) => part.getBoundingClientRect().top;
      const third = innerHeight / 3;
      const target = document.querySelector(":target");
      if (target && top(target) >= 0 && top(target) < (ended ? innerHeight : third)) {
        const part = parts.findLast((part) => part.contains(target));
        if (part) return part;
      }
      const line = ended && scrollY > 0 ? innerHeight : third;
      return parts.findLast((part) => top(part) < line);
    };
    const mark = () => {
      const link = links[parts.indexOf(current())];
      for (const each of links) {
        each.classList.toggle("active", each === link);
        if (each === link) each.setAttribute("aria-current", "true");
        else each.removeAttribute("aria-current");
      }
      for (const entry of entries) entry.classList.toggle("active", entry.contains(link));
    };
    for (const event of ["scroll", "resize", "hashchange"]) addEventListener(event, mark);
    new ResizeObserver(mark).observe(document.body);
    new MutationObserver(mark).observe(contents, { attributeFilter: ["class"], subtree: true });
  };

  /* Give each button and fold its own accessible name, which says what it folds, copies or checks; add the nearest
     heading or number if several controls on the page would have the same name. */
  const nameControls = () => {
    for (const button of document.querySelectorAll("button.toggle-button")) {
      button.setAttribute("aria-label", words(button.closest(".admonition-title")));
    }
    for (const button of document.querySelectorAll("button.copybtn")) {
      const code = button.parentElement.querySelector("pre").textContent.trim();
      button.setAttribute("aria-label", _("Copy: {code}", { code: code.split("\n")[0] }));
    }
    const places = "article :is(h1, h2, h3, h4, .caption-number, .question-label)";
    const before = [...document.querySelectorAll(places)];
    const about = (control) => {
      const number = control.closest("figure")?.querySelector(".caption-number");
      const follows = Node.DOCUMENT_POSITION_FOLLOWING;
      const near = (place) => place.compareDocumentPosition(control) & follows;
      return words(number || before.findLast(near));
    };
    const known = new Map();
    for (const control of document.querySelectorAll("article :is(button, summary)")) {
      const name = control.getAttribute("aria-label") || words(control);
      known.set(name, [...(known.get(name) || []), control]);
    }
    for (const [name, alike] of known) {
      if (!name || alike.length === 1) continue;
      const used = new Map();
      for (const control of alike) {
        const full = `${name}: ${about(control)}`;
        used.set(full, (used.get(full) || 0) + 1);
        const again = used.get(full) > 1 ? ` (${used.get(full)})` : "";
        control.setAttribute("aria-label", full + again);
      }
    }
  };
  const words = (part) => {
    const copy = part.cloneNode(true);
    copy.querySelectorAll("button, .headerlink, svg").forEach((piece) => piece.remove());
    return copy.textContent.replace(/\s+/g, " ").trim();
  };

  /* Keep the focus on a pressed button of the theme. The theme calls blur() to hide the button's tooltip, which would
     also take the focus away; replace blur() by a function that only hides the tooltip. */
  const keepFocus = () => {
    for (const button of document.querySelectorAll("button[data-bs-toggle=tooltip]")) {
      button.blur = () => window.bootstrap?.Tooltip.getInstance(button)?.hide();
    }
  };

  /* Mark the words of a search only on the page and in the section to which a search result leads. Sphinx would mark
     the words on the whole page, and on the next page that is opened. */
  localStorage.removeItem("sphinx_highlight_terms");
  const opened = new URL(location.href);
  const looked = opened.searchParams.get("highlight")?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  opened.searchParams.delete("highlight");
  // a sandboxed frame may not change its address, and the page must work there, too
  try {
    if (looked.length) history.replaceState(null, "", opened);
  } catch {}
  const markFound = () => {
    const box = document.getElementById("searchbox");
    if (!looked.length || !box) return;
    const target = document.getElementById(decodeURIComponent(opened.hash.slice(1)));
    let parts = [target];
    // if the result is a whole page, mark only the text before its first section
    if (!target) parts = document.querySelectorAll("article > section > :not(section)");
    else if (target.matches("dt")) parts = [target, target.nextElementSibling];
    for (const part of parts) for (const word of looked) _highlightText(part, word, "highlighted");
    const link = document.createElement("a");
    link.href = "javascript:SphinxHighlight.hideSearchWords()";
    link.textContent = _("Hide Search Matches");
    const line = document.createElement("p");
    line.className = "highlight-link";
    line.append(link);
    box.append(line);
  };

  /* Search while the reader types in the theme's search field; load the search script at the first letter. */
  const SCRIPTS = document.currentScript.src;
  const searchAsTyped = () => {
    const field = document.querySelector("#pst-search-dialog input");
    if (!field || document.getElementById("search-results")) return;
    const dialog = field.closest("dialog");
    // a script of Sphinx handles Escape, so the browser does not close the search field; close it here
    dialog.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      dialog.close();
    });
    const begin = () => {
      const script = document.createElement("script");
      script.src = new URL("search.js", SCRIPTS).href;
      script.onload = () => {
        const found = document.createElement("div");
        found.className = "search-quick";
        field.form.after(found);
        // a result on the page that is already open loads no page, so close the search field
        found.addEventListener("click", (event) => event.target.closest("a") && dialog.close());
        BookSearch.attach(field, found, { pages: 5, places: 2 })(true);
      };
      document.head.append(script);
    };
    field.addEventListener("input", begin, { once: true });
  };

  /* print in light colors and with all folds open, because readers cannot unfold anything on paper */
  let theme;
  let folded = [];
  addEventListener("beforeprint", () => {
    theme = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
    folded = [...document.querySelectorAll("article details:not([open])")];
    for (const details of folded) details.open = true;
  });
  addEventListener("afterprint", () => {
    document.documentElement.dataset.theme = theme;
    for (const details of folded) details.open = false;
  });

  const start = () => {
    useTheThird();
    document.querySelectorAll(WIDE).forEach(watch);
    document.querySelectorAll("a.term[title]").forEach(explain);
    markSections();
    searchAsTyped();
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
  // these need the buttons that the theme's scripts add before this event
  document.addEventListener("DOMContentLoaded", () => {
    nameControls();
    keepFocus();
    markFound();
  });
  document.fonts.ready.then(() => dispatchEvent(new Event("resize")));
})();
