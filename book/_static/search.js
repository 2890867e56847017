/* The search. It compares a query with the name and the text of each place of the book. A place is a section,
   definition, theorem, formula or term. The build writes the list of all places to `search_index.js`, which is loaded
   only when a search begins.

   Words are compared without accents, endings and hyphens. A Greek letter equals its name, and an abbreviation equals
   its long form. A word that the book does not contain is replaced by a word of the book that differs by one letter. */
const BookSearch = (() => {
  "use strict";

  // --- words ---------------------------------------------------------------------------------

  const GREEK = {
    α: "alpha", β: "beta", γ: "gamma", δ: "delta", ε: "epsilon", ϵ: "epsilon", η: "eta", θ: "theta", κ: "kappa",
    λ: "lambda", μ: "mu", ρ: "rho", σ: "sigma", ς: "sigma", τ: "tau", φ: "phi", ϕ: "phi", χ: "chi", ω: "omega",
  };
  const COMMON =
    "a an the of in on for and or to is are be by with from at as how what which when why where who can do does did " +
    "has have i you we it its that this these there than then so if not no into about against use using vs versus";

  /* Synonyms: the first form of each line replaces the other forms, both in the book's text and in queries. */
  const SAME = `
    dp: differential privacy, differentially private
    zcdp: zero concentrated dp, concentrated dp, zero concentrated, z cdp, cdp
    renyi dp: rdp
    gaussian dp: gdp
    local dp: ldp, local model
    fdp: f dp
    mutual information dp: mi dp, midp
    mutual information: mi
    privacy loss distribution: pld, prv, privacy loss random variable
    sparse vector technique: svt, sparse vector, above threshold
    randomized response: rr
    dp sgd: dpsgd, private sgd, noisy sgd
    total variation: tv, statistical distance
    kl: kullback leibler, relative entropy
    epsilon: eps
    hockey stick: hockeystick
    post processing: postprocessing
    trade off: tradeoff
    data set: dataset, database
    noisy max: noisy argmax, noisymax
    neighbor: neighbor data set, neighbour, adjacent, adjacency
    log moment: moments accountant, cumulant
    gaussian: normal
    laplace: laplacian
    sampling: subsampling, subsampled, subsample, sampled, sample
    clipping: truncation
    sensitivity: sensitive
    composition: compose
    conversion: convert, translate, translation
    tight: optimal
    accounting: accountant
    membership attack: membership inference
    private: privacy
  `;

  /* Further searches: a query that contains the first form also searches for the second. The book's text stays. */
  const ALSO = `
    gaussian noise: gaussian mechanism
    laplace noise: laplace mechanism
    basic composition: sequential composition
    simple composition: sequential composition
    strong composition: advanced composition
    drv composition: advanced composition
    trade off function: trade off curve
    privacy curve: privacy profile
    privacy region: region of errors
    epsilon delta dp: approximate dp
    epsilon delta: approximate dp
    approximate dp: epsilon delta
    epsilon dp: pure dp
    pure dp: epsilon dp
    mu gdp: gaussian dp
    amplification sampling: amplification poisson sampling
    sampled gaussian: gaussian sampling
    gaussian sampling: sampling gaussian
    geometric mechanism: discrete laplace
    geometric noise: discrete laplace
    fully adaptive composition: privacy filter
    private audit: audit
    global sensitivity: sensitivity
    us census: 2020 census
    reconstruction attack: dinur nissim
    database reconstruction: dinur nissim
    hypothesis test: test two errors
    receiver operating characteristic: roc curve
    floating point: float
    analytic gaussian: gaussian mechanism exact
    chain rule: composition
    data processing: post processing
  `;

  /* What a reader most likely looks for whose whole query is one of these words. */
  const ALONE = `
    dp: pure dp
    private: pure dp
    epsilon: pure dp
    delta: approximate dp
    noise: laplace mechanism
    neighbor: adjacency
  `;

  const folded = (text) =>
    text
      .normalize("NFKD")
      .replace(/[\u0300-\u036f]/g, "")
      .toLowerCase()
      .replace(/[α-ωϵϕ]/g, (letter) => (GREEK[letter] ? ` ${GREEK[letter]} ` : letter))
      .replace(/['’]s?\b/g, "")
      .replace(/\bl_([12])\b/g, "l$1");

  const cut = (word) => {
    if (word.length < 5 || /\d/.test(word)) return word.length > 3 ? word.replace(/([^s])s$/, "$1") : word;
    let root = word.replace(/(is)(?=(e|ed|es|ing|ation|ations)$)/, "iz").replace(/our(?=(s|ing|ed)?$)/, "or");
    root = root.replace(/ies$/, "y").replace(/(ss|x|ch|sh)es$/, "$1").replace(/([^siu])s$/, "$1");
    for (const end of ["ations", "ation", "ively", "ingly", "ing", "ed", "ions", "ion", "ive", "ly", "e", "y"]) {
      if (root.endsWith(end) && root.length - end.length >= 4) return root.slice(0, -end.length);
    }
    return root;
  };

  const cutWords = new Map();
  const stem = (word) => {
    if (!cutWords.has(word)) cutWords.set(word, cut(word));
    return cutWords.get(word);
  };

  const plainWords = (text) => folded(text).match(/[\p{L}]+\d*|\d+(?:[.,]\d+)*/gu) ?? [];
  const stems = (text) => plainWords(text).map(stem);

  const rules = (table) => {
    const found = new Map();
    for (const row of table.trim().split("\n")) {
      const [first, others] = row.trim().split(": ");
      for (const other of others.split(", ")) {
        const from = stems(other);
        if (!found.has(from[0])) found.set(from[0], []);
        found.get(from[0]).push([from, first]);
      }
    }
    for (const list of found.values()) list.sort((one, two) => two[0].length - one[0].length);
    return found;
  };
  const STOP = new Set(stems(COMMON));
  const SAME_RULES = rules(SAME);
  for (const list of SAME_RULES.values()) for (const rule of list) rule[1] = stems(rule[1]);

  /* Replace synonyms in a list of word stems once (`once`); return a text's stems without stop words (`tokens`). */
  const once = (words) => {
    const found = [];
    for (let at = 0; at < words.length; ) {
      const rule = SAME_RULES.get(words[at])?.find(([from]) => from.every((word, i) => words[at + i] === word));
      found.push(...(rule ? rule[1] : [words[at]]));
      at += rule ? rule[0].length : 1;
    }
    return found;
  };
  const tokens = (text) => {
    // twice, because "zero-concentrated differential privacy" becomes "zero concentrated dp" and then "zcdp"
    const all = once(once(stems(text)));
    const kept = all.filter((word) => !STOP.has(word));
    return kept.length ? kept : all;
  };

  const pairs = (table) => table.trim().split("\n").map((row) => row.trim().split(": ").map(tokens));
  const ALSO_RULES = pairs(ALSO);
  const ALONE_RULES = pairs(ALONE);
  /* words of a query that ask for a kind of place, such as a theorem; they are rarely part of the place's name */
  const INTENT = new Map([
    ["definit", "definition"], ["defin", "definition"], ["theorem", "theorem"], ["proof", "theorem"], ["formula", "formula"],
  ]);
  /* Complete a query such as "zcdp to dp": a conversion to DP without any further word is one to (ε, δ)-DP. */
  const whole = (text) => text.replace(/\b(to|into)\s+(dp|differential\s+privacy)\s*$/i, "$1 (epsilon, delta)");
  const at = (words, part) => {
    for (let start = 0; start + part.length <= words.length; start += 1) {
      if (part.every((word, i) => words[start + i] === word)) return start;
    }
    return -1;
  };
  /* Return the query and its other possible meanings, each with a factor by which its scores are multiplied. */
  const variants = (words) => {
    const found = [{ words, likely: 1 }];
    for (const [from, to] of ALSO_RULES) {
      const start = at(words, from);
      if (start < 0) continue;
      found.push({ words: [...words.slice(0, start), ...to, ...words.slice(start + from.length)], likely: 0.9 });
    }
    for (const [from, to] of ALONE_RULES) {
      if (from.join() === words.join()) found.push({ words: to, likely: 1.2 });
    }
    return found;
  };

  // --- the index -------------------------------------------------------------------------------

  /* Factors for the scores of places by kind: of a definition and an exercise with equally matching words, for
     example, readers want the definition first. */
  const KINDS = {
    page: 1.25, definition: 1.17, theorem: 1.14, section: 1, term: 0.85, formula: 0.8, object: 0.33, exercise: 0.5,
    solution: 0.4, source: 0.45,
  };
  const STATES = new Set(["definition", "theorem", "formula"]);
  const ASIDE = /^(Summary|Further reading|Exercises)$/;
  const LABELS = { section: "Section", source: "Source" };

  let pages = [];
  let places = [];
  let known = new Map(); // in how many places each word of the book occurs

  const load = (index) => {
    pages = index.pages.map(([address, title, number]) => ({
      address,
      title,
      number,
      words: tokens(title),
      chapter: number !== "",
    }));
    places = index.places.map((told) => {
      const page = pages[told.page];
      // each part of a heading such as "zCDP: one number instead of a curve" can be what a reader looks for
      const own = told.name ?? "";
      const parts = own.split(/[,:;]| and /).filter((part) => part.trim().length > 3);
      const camel = told.kind === "object" ? [own.replace(/^.*\./, "").replace(/([a-z])([A-Z])/g, "$1 $2")] : [];
      const beginning = parts.length > 1 && /^[^,]*:/.test(own) ? [own.split(":")[0]] : [];
      const names = [own, ...beginning, ...camel];
      const counts = new Map();
      const body = tokens(`${told.text ?? ""} ${told.rest ?? ""}`);
      for (const word of body) counts.set(word, (counts.get(word) ?? 0) + 1);
      let weight = KINDS[told.kind];
      if (told.kind === "page" && !page.chapter) weight = 0.9;
      if (told.kind === "section" && !page.chapter) weight = 0.7;
      if (ASIDE.test(own)) weight *= 0.7;
      if (/assignments|instructors|errata|sources/.test(page.address)) weight *= 0.7;
      if (/reference/.test(page.address) && told.kind !== "object") weight *= 0.6;
      return {
        ...told,
        name: own,
        at: page,
        weight,
        label: told.label ?? (told.kind === "page" ? (page.number ? `Chapter ${page.number}` : "Page") : LABELS[told.kind]),
        names: names.map(tokens),
        parts: [...(told.names ?? []), ...(parts.length > 1 ? parts : [])].map(tokens),
        defined: (told.defined ?? []).map(tokens),
        body,
        counts,
      };
    });
    known = new Map();
    for (const place of places) {
      place.all = new Set([...place.names.flat(), ...place.parts.flat(), ...place.defined.flat(), ...place.counts.keys()]);
      for (const word of place.all) known.set(word, (known.get(word) ?? 0) + 1);
    }
  };

  const rare = (word) => Math.min(4, Math.log(1 + places.length / (1 + (known.get(word) ?? 0))));

  /* Return whether two words differ by one changed, missing or additional letter, or by two swapped letters. */
  const near = (one, two) => {
    if (Math.abs(one.length - two.length) > 1 || one === two) return one === two;
    let i = 0;
    while (i < one.length && one[i] === two[i]) i += 1;
    let j = 0;
    while (j < Math.min(one.length, two.length) - i && one.at(-1 - j) === two.at(-1 - j)) j += 1;
    const [left, right] = [one.slice(i, one.length - j), two.slice(i, two.length - j)];
    if (Math.max(left.length, right.length) <= 1) return true;
    return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
  };

  /* Return the words of the book that a word of the query matches: the word itself; otherwise up to eight words
     that begin with it; otherwise the most frequent word that differs by one letter. */
  const spelled = (word, last) => {
    if (known.has(word)) return [word];
    const all = [...known.keys()];
    const begun = last || word.length > 4 ? all.filter((other) => word.length > 1 && other.startsWith(word)) : [];
    if (begun.length) return begun.sort((one, two) => known.get(two) - known.get(one)).slice(0, 8);
    if (word.length < 4) return [];
    return all.filter((other) => near(word, other)).sort((one, two) => known.get(two) - known.get(one)).slice(0, 1);
  };

  // --- the order of the results ------------------------------------------------------------------

  const compared = (place, query, total) => {
    const has = (words, asked) => asked.spelled.some((word) => words.includes(word));
    const same = (asked, word) => asked.spelled.includes(word);
    const inOrder = (words) => {
      for (let start = 0; start + query.length <= words.length; start += 1) {
        if (query.every((asked, i) => same(asked, words[start + i]))) return true;
      }
      return false;
    };
    const named = (words) => {
      let found = 0;
      let around = 0; // the weight of the query's words that only the title of the page contains
      for (const asked of query) {
        if (has(words, asked)) found += asked.rare;
        else if (has(place.at.words, asked)) around += asked.rare;
      }
      if (!found) return 0;
      found += 0.7 * around;
      const share = words.filter((word) => query.some((asked) => same(asked, word))).length / words.length;
      let score = (found / total) ** 2 * (0.45 + 0.55 * share);
      if (inOrder(words)) score *= words.length === query.length ? 1.7 : 1.3;
      return score;
    };
    let name = 0;
    for (const words of place.names) name = Math.max(name, named(words));
    for (const words of place.parts) name = Math.max(name, named(words) * 0.9);
    for (const words of place.defined) name = Math.max(name, named(words) * 0.8);
    let text = 0;
    let covered = 0;
    for (const asked of query) {
      const count = asked.spelled.reduce((sum, word) => sum + (place.counts.get(word) ?? 0), 0);
      text += (asked.rare * count) / (count + 0.5 + place.body.length / 150);
      if (asked.spelled.some((word) => place.all.has(word))) covered += asked.rare;
      else if (has(place.at.words, asked)) covered += asked.rare * 0.8;
    }
    if (!covered) return 0;
    text /= total;
    if (query.length > 1 && covered > 0.99 * total && inOrder(place.body)) text += 0.3;
    return place.weight * (10 * name + 3 * text) * (covered / total);
  };

  /* Return a full word of the book or the query that has this stem, because a stem such as "clipp" looks misspelled. */
  const asWritten = (root) => [...cutWords].find(([, cutWord]) => cutWord === root)?.[0] ?? root;

  /* Return the pages that fit a query, best first, each with its fitting places; the glossary terms that the query
     names; the words to mark; the words that the book does not have; and the words by which misspelled or incomplete
     words were replaced. With `typing`, the last word may be incomplete. */
  const find = (text, typing = false) => {
    const typed = tokens(whole(text));
    const kinds = new Set(typed.map((word) => INTENT.get(word)));
    if (kinds.has("formula")) kinds.add("theorem");
    const rest = typed.filter((word) => !INTENT.has(word));
    const words = rest.length ? rest : typed;
    if (!words.length) return { pages: [], terms: [], words: [], unknown: [], meant: [] };
    const scores = new Map();
    const terms = new Set();
    const seen = new Map();
    for (const [number, { words: variant, likely }] of variants(words).entries()) {
      const query = variant.map((word, i) => {
        const found = spelled(word, typing && i === variant.length - 1);
        return { word, spelled: found, rare: found.length ? Math.max(...found.map(rare)) : 2 };
      });
      for (const asked of query) if (number === 0) seen.set(asked.word, asked.spelled);
      const total = query.reduce((sum, asked) => sum + asked.rare, 0);
      for (const place of places) {
        const score = compared(place, query, total) * likely * (kinds.has(place.kind) ? 1.4 : 1);
        if (score > (scores.get(place) ?? 0)) scores.set(place, score);
        if (place.kind !== "term" || number) continue;
        const exact = (name) => name.length === query.length && query.every((q, i) => q.spelled.includes(name[i]));
        if ([...place.names, ...place.parts].some(exact)) terms.add(place);
      }
    }
    const groups = new Map();
    // a definition or theorem of the book comes before a source in the bibliography whose title has the same words
    const stated = [...scores].some(([place, score]) => STATES.has(place.kind) && score > 5);
    for (const [place, fits] of scores) {
      if (terms.has(place)) continue;
      const score = stated && place.kind === "source" ? 0.4 * fits : fits;
      if (!groups.has(place.at)) groups.set(place.at, []);
      groups.get(place.at).push({ place, score });
    }
    const found = [];
    for (const [page, list] of groups) {
      list.sort((one, two) => two.score - one.score);
      const more = list.slice(1, 4).reduce((sum, one) => sum + one.score, 0);
      found.push({ page, score: list[0].score + 0.06 * more, places: list.filter((one) => one.score > 0.25 * list[0].score) });
    }
    found.sort((one, two) => two.score - one.score);
    const enough = found.filter((one) => one.score > 0.06 * found[0].score);
    const read = [...seen];
    return {
      pages: enough,
      terms: [...terms],
      words: read.flatMap(([, forms]) => forms),
      unknown: read.filter(([, forms]) => !forms.length).map(([word]) => asWritten(word)),
      meant: read.filter(([word, forms]) => forms.length && !forms[0].startsWith(word)).map(([, forms]) => asWritten(forms[0])),
    };
  };

  // --- excerpts ------------------------------------------------------------------------------------

  /* The lengths of excerpts in characters: STATED for a definition or theorem, which readers may read in full among
     the results, and LENGTH for all other places. */
  const LENGTH = 240;
  const STATED = 380;

  /* Return the positions of the query's words in a text, including synonyms and other endings. */
  const marks = (text, wanted) => {
    const words = [...text.matchAll(/\p{L}[\p{L}\p{M}]*\d*|\d+(?:[.,]\d+)*/gu)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      stem: stems(match[0])[0] ?? "",
    }));
    const found = [];
    for (let i = 0; i < words.length; ) {
      const rule = SAME_RULES.get(words[i].stem)?.find(([from]) => from.every((word, j) => words[i + j]?.stem === word));
      const count = rule ? rule[0].length : 1;
      const word = (rule ? rule[1] : [words[i].stem]).find((one) => wanted.has(one));
      if (word) found.push({ start: words[i].start, end: words[i + count - 1].end, word });
      i += count;
    }
    return found;
  };

  /* Return the part of a text that contains most of the query's words, as pairs of a piece and whether it is marked.
     The part starts at a sentence or, if that begins too far before the words, at a word. */
  const excerpt = (text, wanted, kind = "section") => {
    const length = kind === "definition" || kind === "theorem" ? STATED : LENGTH;
    const all = marks(text, wanted);
    const within = (start) =>
      new Set(all.filter((mark) => mark.start >= start && mark.end <= start + length).map((mark) => mark.word)).size;
    let start = 0;
    let most = within(0);
    for (const mark of all) {
      const from = Math.max(0, mark.start - 60);
      if (within(from) > 1.4 * most) [start, most] = [from, within(from)];
    }
    if (start) {
      const sentences = [...text.slice(0, start + 60).matchAll(/[.?!] (?=[\p{Lu}“])/gu)].map((match) => match.index + 2);
      const near = sentences.at(-1) ?? 0;
      start = near > start - 80 ? near : text.indexOf(" ", start) + 1;
    }
    let end = start + length;
    end = end < text.length ? Math.max(text.lastIndexOf(" ", end), start + 1) : text.length;
    const parts = [];
    if (start) parts.push(["… ", false]);
    let place = start;
    for (const mark of all) {
      if (mark.start < place || mark.end > end) continue;
      parts.push([text.slice(place, mark.start), false], [text.slice(mark.start, mark.end), true]);
      place = mark.end;
    }
    parts.push([text.slice(place, end) + (end < text.length ? " …" : ""), false]);
    return parts.filter(([part]) => part);
  };

  /* Return the query's words in the forms that a place contains, so that its page can mark them. */
  const written = (place, wanted) => {
    const found = new Map();
    for (const text of [place.name, place.text ?? ""]) {
      for (const { start, end, word } of marks(text, wanted)) {
        for (const part of text.slice(start, end).toLowerCase().split(/[^\p{L}\p{N}]+/u)) {
          if (part.length > 2) found.set(part, rare(word));
        }
      }
    }
    // do not mark a common word if the query also has a rare one
    const most = Math.max(0, ...found.values());
    return [...found].filter(([, worth]) => worth > 0.5 * most).map(([word]) => word).slice(0, 6);
  };

  return { load, find, excerpt, written };
})();
globalThis.BookSearch = BookSearch;

// --- what the reader sees ------------------------------------------------------------------------

if (typeof document !== "undefined") {
  (() => {
    "use strict";

    const _ = bookMessage;
    const HERE = document.currentScript.src;
    /* the numbers of pages, and of places per page, that the search page shows at first; the search field in a dialog
       over a page shows fewer */
    const ROOM = { pages: 8, places: 4 };

    let loading;
    const index = () => {
      loading ??= new Promise((done, failed) => {
        const script = document.createElement("script");
        script.src = new URL("search_index.js", HERE).href;
        script.onload = done;
        script.onerror = failed;
        document.head.append(script);
      });
      return loading;
    };

    const made = (name, type, ...parts) => {
      const element = document.createElement(name);
      if (type) element.className = type;
      element.append(...parts.filter((part) => part !== ""));
      return element;
    };
    const marked = (parts) => parts.map(([text, found]) => (found ? made("mark", "", text) : text));

    const address = (place, wanted) => {
      const target = new URL(`../${place.at.address}`, HERE);
      const words = BookSearch.written(place, wanted);
      if (words.length) target.search = new URLSearchParams({ highlight: words.join(" ") });
      if (place.anchor) target.hash = place.anchor;
      return target.href;
    };
    const found = (text, wanted, kind) => marked(BookSearch.excerpt(text, wanted, kind));
    const context = (place, wanted) => {
      const [text = "", rest = ""] = [place.text, place.rest];
      // take the excerpt from the sentences; from tables and outputs (`rest`) only if just these have the words
      const best = [text, rest].find((one) => BookSearch.excerpt(one, wanted).some(([, marked]) => marked)) ?? (text || rest);
      return best ? [made("p", "context", ...found(best, wanted, place.kind))] : [];
    };

    const shownPlace = (place, wanted) => {
      const link = made("a", "search-place", made("span", "search-kind", place.label), " ", ...found(place.name, wanted));
      link.href = address(place, wanted);
      return made("li", "", link, ...context(place, wanted));
    };

    const shownPage = ({ page, places }, wanted, most) => {
      const title = made("a", "search-page", page.number ? `${page.number}. ${page.title}` : page.title);
      const whole = places.find(({ place }) => place.kind === "page");
      const others = places.filter((one) => one !== whole).slice(0, most);
      const first = whole?.place ?? { ...others[0].place, anchor: "" };
      title.href = address(first, wanted);
      const item = made("li", "", title);
      if (whole && !others.length) item.append(...context(whole.place, wanted));
      if (others.length) item.append(made("ul", "", ...others.map(({ place }) => shownPlace(place, wanted))));
      return item;
    };

    const quoted = (words) => words.map((word) => `“${word}”`).join(", ");
    const told = (query, { pages, terms, unknown, meant }) => {
      if (!pages.length && !terms.length) return _("Nothing was found for “{query}”.", { query });
      const values = { query, count: pages.length, words: quoted(meant) };
      const read = pages.length === 1 ? _("One page for “{query}”, read as {words}.", values)
        : _("{count} pages for “{query}”, read as {words}.", values);
      const plain = pages.length === 1 ? _("One page for “{query}”.", values) : _("{count} pages for “{query}”.", values);
      const missing = _("The book does not have {words}.", { words: quoted(unknown) });
      return [meant.length ? read : plain, ...(unknown.length ? [missing] : [])].join(" ");
    };

    const show = (target, query, result, room) => {
      const wanted = new Set(result.words);
      const status = made("p", "search-status", told(query, result));
      status.setAttribute("role", "status");
      const parts = [status];
      for (const term of result.terms) {
        const link = made("a", "search-place", made("span", "search-kind", term.label), " ", term.name);
        link.href = address(term, new Set());
        parts.push(made("div", "search-term", link, made("p", "context", term.text)));
      }
      parts.push(made("ol", "search-pages", ...result.pages.slice(0, room.pages).map((one) => shownPage(one, wanted, room.places))));
      if (result.pages.length > room.pages) {
        const more = made("button", "search-more", _("Show all {count} pages", { count: result.pages.length }));
        more.type = "button";
        more.addEventListener("click", () => {
          show(target, query, result, { ...room, pages: Infinity });
          target.querySelectorAll(".search-page")[room.pages].focus();
        });
        parts.push(more);
      }
      target.replaceChildren(...parts);
      // choose the link to which the arrow key goes first: a page's title only if the page as a whole fits best, and
      // otherwise the best place within a page
      const links = [...target.querySelectorAll("a")];
      const whole = !result.terms.length && result.pages[0]?.places[0].place.kind === "page";
      (whole ? links : links.filter((link) => link.matches(".search-place")))[0]?.classList.add("search-first");
    };

    /* Show results below a search field while the reader types, and let the arrow keys move through them. */
    const attach = (field, target, room = ROOM, changed = () => {}) => {
      let asked = 0;
      const look = async (typing) => {
        const query = field.value.trim();
        const turn = (asked += 1);
        changed(query);
        if (!query) return target.replaceChildren();
        try {
          await index();
        } catch {
          return target.replaceChildren(made("p", "search-status", _("The index of the search could not be loaded.")));
        }
        if (turn === asked) show(target, query, BookSearch.find(query, typing), room);
      };
      let later;
      field.addEventListener("input", () => {
        clearTimeout(later);
        later = setTimeout(look, 120, true);
      });
      const step = (event) => {
        const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!by) return;
        const stops = [field, ...target.querySelectorAll("a, button")];
        const down = document.activeElement === field && by === 1;
        const next = down ? target.querySelector(".search-first") : stops[stops.indexOf(document.activeElement) + by];
        if (!next || !stops.includes(document.activeElement)) return;
        next.focus();
        event.preventDefault();
      };
      field.addEventListener("keydown", step);
      target.addEventListener("keydown", step);
      return look;
    };

    const results = document.getElementById("search-results");
    if (results) {
      const field = document.querySelector(".bd-search-container input[name=q]");
      const look = attach(field, results, ROOM, (query) => {
        const page = new URL(location.href);
        page.search = query ? new URLSearchParams({ q: query }) : "";
        // a sandboxed frame may not change its address, and the search must work there, too
        try {
          history.replaceState(null, "", page);
        } catch {}
      });
      field.form.addEventListener("submit", (event) => {
        event.preventDefault();
        look(false);
      });
      field.value = new URLSearchParams(location.search).get("q") ?? "";
      look(false);
    }

    BookSearch.attach = attach;
  })();
}
