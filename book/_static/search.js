/* Excerpts of the search: the text of the article around the word, from whole words to whole words. */
(() => {
  "use strict";

  const BEFORE = 100;
  const LENGTH = 260;

  Search.htmlToText = (source, anchor) => {
    const page = new DOMParser().parseFromString(source, "text/html");
    const article = page.querySelector("article") || page.body;
    const part = (anchor && article.querySelector(anchor)) || article;
    const dropped = ".headerlink, script, style, noscript, .question-answers, form, svg";
    part.querySelectorAll(dropped).forEach((piece) => piece.remove());
    // what stands apart on the page is apart in the excerpt
    part.querySelectorAll("p, li, dt, dd, h1, h2, h3, h4, div, td, th").forEach((piece) => piece.append(" "));
    return part.textContent.replace(/\s+/g, " ").trim();
  };

  Search.makeSearchSummary = (source, keywords, anchor) => {
    const text = Search.htmlToText(source, anchor);
    const lower = text.toLowerCase();
    // the keywords are stems, which the text need not have ("hockei"); the reader's own words come first
    const typed = new URLSearchParams(location.search).get("q") || "";
    const words = [...typed.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter(Boolean), ...keywords];
    const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
    const found = places.length ? Math.min(...places) : 0;
    const start = found > BEFORE ? text.indexOf(" ", found - BEFORE) + 1 : 0;
    const end = start + LENGTH < text.length ? text.lastIndexOf(" ", start + LENGTH) : text.length;
    const summary = document.createElement("p");
    summary.className = "context";
    summary.textContent = (start ? "… " : "") + text.slice(start, end) + (end < text.length ? " …" : "");
    return summary;
  };
})();
