/* The search: letters are found with and without their accents, and excerpts are the text of the article around the
   word, from whole words to whole words, with its formulas written in one line. */
(() => {
  "use strict";

  const BEFORE = 100;
  const LENGTH = 260;

  /* é as e, letter by letter, so that places in the text stay the same */
  const folded = (text) => text.replace(/[\u00c0-\u024f]/g, (letter) => letter.normalize("NFD")[0]);

  // --- accents -------------------------------------------------------------------------------

  /* of each folded word or title how the pages write it */
  const written = new Map();

  const foldKeys = (table, merge) => {
    for (const key of Object.keys(table)) {
      const plain = folded(key);
      if (plain === key) continue;
      written.set(plain, key);
      table[plain] = Object.hasOwn(table, plain) ? merge(table[plain], table[key]) : table[key];
      delete table[key];
    }
  };

  const { setIndex, _parseQuery, _performSearch } = Search;

  Search.setIndex = (index) => {
    const pages = (one, other) => [...new Set([one, other].flat())];
    const places = (one, other) => [...one, ...other];
    foldKeys(index.terms, pages);
    foldKeys(index.titleterms, pages);
    foldKeys(index.alltitles, places);
    foldKeys(index.indexentries, places);
    index.titles.forEach((title) => written.set(folded(title), title));
    index.titles = index.titles.map(folded);
    setIndex(index);
  };
  // a page that was quicker than this script has its index already
  if (Search.hasIndex()) Search.setIndex(Search._index);

  Search._parseQuery = (query) => {
    const [plain, terms, excluded, highlighted, objects] = _parseQuery(folded(query));
    for (const word of [...highlighted, ...terms]) {
      if (written.has(word)) highlighted.add(written.get(word));
    }
    return [plain, terms, excluded, highlighted, objects];
  };

  Search._performSearch = (...told) =>
    _performSearch(...told).map(([page, title, anchor, about, ...rest]) => {
      const names = title.split(" > ").map((name) => written.get(name) ?? name);
      const place = about?.split(", in ").map((name) => written.get(name) ?? name);
      return [page, names.join(" > "), anchor, place ? place.join(", in ") : about, ...rest];
    });

  // --- excerpts ------------------------------------------------------------------------------

  /* what stands below, above or beside a sign is held together by brackets if it is longer than a word */
  const held = (text) => (/^[-−+]?[\p{L}\p{N}.,∞]*$/u.test(text) ? text : `(${text})`);
  const LINES = {
    msup: ([base, above]) => `${base}^${held(above)}`,
    msub: ([base, below]) => `${base}_${held(below)}`,
    msubsup: ([base, below, above]) => `${base}_${held(below)}^${held(above)}`,
    munder: ([base, below]) => `${base}_${held(below)}`,
    munderover: ([base, below, above]) => `${base}_${held(below)}^${held(above)}`,
    mfrac: ([above, below]) => `${held(above)}/${held(below)}`,
    msqrt: (parts) => `√${held(parts.join(""))}`,
    mroot: ([base, order]) => `${held(base)}^(1/${order})`,
    mtr: (parts) => `${parts.join(" ")} `,
  };
  const line = (formula) => {
    const parts = [...formula.children].map(line);
    const name = formula.localName;
    if (LINES[name]) return LINES[name](parts);
    if (parts.length) return parts.join("");
    const text = formula.textContent.trim();
    if (name !== "mo") return text;
    if (text === "\u2061") return " "; // a function is applied: log 3
    return /^[=≤≥≠≈<>∈∼→↦]$/.test(text) ? ` ${text} ` : text;
  };

  Search.htmlToText = (source, anchor) => {
    const page = new DOMParser().parseFromString(source, "text/html");
    const article = page.querySelector("article") || page.body;
    const part = (anchor && article.querySelector(anchor)) || article;
    const dropped = ".headerlink, script, style, noscript, .question-answers, form, svg";
    part.querySelectorAll(dropped).forEach((piece) => piece.remove());
    part.querySelectorAll("math").forEach((formula) => formula.replaceWith(line(formula)));
    part.querySelectorAll("sup").forEach((raised) => raised.prepend("^"));
    // what stands apart on the page is apart in the excerpt
    const apart = "p, li, dt, dd, h1, h2, h3, h4, div, td, th, label, output, summary, figcaption";
    part.querySelectorAll(apart).forEach((piece) => piece.append(" "));
    return part.textContent.replace(/\s+/g, " ").trim();
  };

  Search.makeSearchSummary = (source, keywords, anchor) => {
    const text = Search.htmlToText(source, anchor);
    const lower = folded(text.toLowerCase());
    // the keywords are stems, which the text need not have ("hockei"); the reader's own words come first
    const typed = folded((new URLSearchParams(location.search).get("q") || "").toLowerCase());
    const words = [...typed.split(/[^\p{L}\p{N}_]+/u).filter(Boolean), ...keywords];
    const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
    const found = places.length ? Math.min(...places) : 0;
    const start = found > BEFORE ? text.indexOf(" ", found - BEFORE) + 1 : 0;
    const end = start + LENGTH < text.length ? text.lastIndexOf(" ", start + LENGTH) : text.length;
    const summary = document.createElement("p");
    summary.className = "context";
    summary.textContent = (start ? "… " : "") + text.slice(start, end) + (end < text.length ? " …" : "");
    return summary;
  };

  // a frame that the browser shuts off may not fetch the pages: then there are results without excerpts
  const { fetch } = window;
  window.fetch = (...told) => fetch(...told).catch(() => new Response(""));

  // --- the words that were looked for, on the page that was found -----------------------------

  const query = new URLSearchParams(location.search).get("q");
  const results = document.getElementById("search-results");
  if (!query || !results) return;
  new MutationObserver(() => {
    for (const link of results.querySelectorAll("ul.search > li > a:not([data-marked])")) {
      link.dataset.marked = "";
      const highlighted = Search._parseQuery(query)[3];
      link.search = new URLSearchParams({ highlight: [...highlighted].join(" ") });
    }
  }).observe(results, { childList: true, subtree: true });
})();
