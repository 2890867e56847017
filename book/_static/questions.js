/* The replies to the readers' answers to questions. The answers are stored only in the reader's browser. */
(() => {
  "use strict";

  const _ = bookMessage;
  const KEY = "dpteach-answers";

  const stored = () => {
    try {
      return JSON.parse(localStorage.getItem(KEY)) || {};
    } catch {
      return {}; // the browser refuses storage, or the stored text is not JSON
    }
  };

  const store = (all) => {
    try {
      localStorage.setItem(KEY, JSON.stringify(all));
    } catch {
      /* the browser refuses storage: the page still replies, but answers are lost when it is closed */
    }
  };

  /* Read a number such as 1,118 or 0,5 or 3/4 or 1e-6; return NaN for any other text. */
  const number = (text) => {
    let plain = text.trim().replace(/−/g, "-").replace(/\s/g, "");
    if (/^-?\d{1,3}(,\d{3})+(\.\d*)?$/.test(plain)) plain = plain.replace(/,/g, "");
    plain = plain.replace(",", ".");
    const parts = plain.split("/");
    if (parts.length > 2 || parts.some((part) => part === "")) return NaN;
    return parts.length === 2 ? Number(parts[0]) / Number(parts[1]) : Number(parts[0]);
  };

  const taken = (form) =>
    form.dataset.kind === "number"
      ? form.querySelector("input").value.trim()
      : [...form.querySelectorAll("input:checked")].map((input) => Number(input.value));

  /* Return whether an answer is right, the indices of the choices whose feedback is shown, and the words before the
     feedback; or, if there is no answer yet, only a request for one (`none`). */
  const judge = (form, answer) => {
    if (form.dataset.kind === "number") {
      const value = number(answer);
      if (Number.isNaN(value)) return { none: _("Type a number, such as 12.5, 1e-6 or 3/4.") };
      const numbers = JSON.parse(form.dataset.numbers);
      const slack = 1e-9 * Math.max(1, Math.abs(value));
      let place = numbers.findIndex((n) => n && Math.abs(value - n[0]) <= n[1] + (n[1] ? slack : 0));
      if (place < 0) place = numbers.indexOf(null);
      const right = Boolean(numbers[place] && numbers[place][2]);
      return { right, places: [place], words: right ? _("Right.") : _("Not so.") };
    }
    const isRight = JSON.parse(form.dataset.right);
    if (!answer.length) return { none: _("Choose an answer first.") };
    const wrong = answer.filter((place) => !isRight[place]);
    const missing = isRight.filter((is, place) => is && !answer.includes(place)).length;
    const right = !wrong.length && !missing;
    const part = _("All chosen answers are right, but other right answers are missing.");
    const words = right ? _("Right.") : wrong.length ? _("Not so.") : part;
    return { right, places: right ? answer : wrong, words };
  };

  const show = (form, judged) => {
    const verdict = form.querySelector(".question-verdict");
    verdict.replaceChildren();
    form.classList.toggle("is-right", judged.right === true);
    form.classList.toggle("is-wrong", judged.right === false);
    const words = document.createElement("p");
    words.className = "question-word";
    words.textContent = judged.none || judged.words;
    verdict.append(words);
    for (const place of judged.places || []) {
      const item = document.getElementById(`${form.id}-${place}`);
      if (!item) continue;
      const several = judged.places.length > 1;
      const part = document.createElement("div");
      for (const child of [...item.children].slice(several ? 0 : 1)) part.append(child.cloneNode(true));
      verdict.append(part);
    }
  };

  const prepare = (form) => {
    const page = form.dataset.page;
    const old = (stored()[page] || {})[form.id];
    if (old) {
      if (form.dataset.kind === "number") form.querySelector("input").value = old.answer;
      else for (const input of form.querySelectorAll("input")) input.checked = old.answer.includes(Number(input.value));
      show(form, judge(form, old.answer));
    }
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const answer = taken(form);
      const judged = judge(form, answer);
      show(form, judged);
      if (judged.none) return;
      const all = stored();
      const before = (all[page] || {})[form.id] || { tries: 0 };
      all[page] = { ...all[page], [form.id]: { answer, right: judged.right, tries: before.tries + 1 } };
      store(all);
    });
    form.addEventListener("input", () => {
      // remove the reply to the earlier answer, because it does not apply to the changed one
      form.classList.remove("is-right", "is-wrong");
      form.querySelector(".question-verdict").replaceChildren();
    });
  };

  const count = (root) => {
    const all = stored();
    let any = false;
    for (const item of root.querySelectorAll("li")) {
      const ids = item.dataset.ids.split(" ");
      const known = ids.map((id) => (all[item.dataset.page] || {})[id]).filter(Boolean);
      const right = known.filter((entry) => entry.right).length;
      any ||= known.length > 0;
      item.classList.toggle("is-done", right === ids.length);
      item.style.setProperty("--done", right / ids.length);
      item.querySelector("span").textContent = known.length
        ? _("{right} of {count} answered right", { right, count: ids.length })
        : ids.length === 1 ? _("1 question") : _("{count} questions", { count: ids.length });
    }
    root.querySelector(".question-actions").hidden = !any;
  };

  const list = (root) => {
    count(root);
    root.querySelector("button").addEventListener("click", () => {
      try {
        localStorage.removeItem(KEY);
      } catch {
        /* the browser refuses storage, so there are no stored answers to delete */
      }
      count(root);
    });
  };

  const start = () => {
    document.querySelectorAll("form.question").forEach(prepare);
    document.querySelectorAll(".question-progress").forEach(list);
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
