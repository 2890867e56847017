// The script of the marking page. It shows one answer at a time, fetches the next answers ahead, and
// sends marks in the background.
"use strict";

const { base, token } = document.body.dataset;
const TEXTS = JSON.parse(document.getElementById("texts").textContent);
const $ = (id) => document.getElementById(id);
const say = (name, values = {}) =>
  (TEXTS[name] ?? name).replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);

/** How many answers are fetched ahead, and after how many milliseconds the lists are updated. */
const AHEAD = 4, REFRESH = 10_000;

let who = "", assignment = "", item = ""; // the marker, and the assignment and item on the screen
let data = null; // what the server last told about the item: its answers, markers and scheme
let shown = null; // the answer on the screen, as the server told it
let choice = []; // for each line of the scheme, the choice that is taken: 0 for none
let decided = false; // whether the marker has chosen lines or points for the answer on the screen
let entry = ""; // how the points are being entered without the scheme, see `digit`
let opening = false; // whether the next answer is still on its way
let settling = null; // the disagreement of two markers that is being settled, or null
let names = {}; // the students by number, if the marker has asked to see them
const fetched = new Map(); // promises of the answers that were fetched, by number
const sending = new Map(); // promises of the marks that are being sent, by number
const arrived = new Map(); // the time when the server answered to the last mark, by number
const problems = new Map(); // marks that were not written, by number

// ---------------------------------------------------------------- requests

/** Send a request to the server, a POST request if it has a body; return the reply's data. */
async function ask(path, body) {
  const reply = await fetch(`${base}/api/${path}`, body === undefined ? {} : {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-XSRFToken": token },
    body: JSON.stringify(body),
  });
  const told = await reply.json().catch(() => ({}));
  if (reply.ok) return told;
  throw Object.assign(new Error(told.message || reply.statusText), { now: told.now });
}

const place = (number) => `${assignment}/item/${encodeURIComponent(item)}/${number}`;
const query = () => `?who=${encodeURIComponent(who)}`;

/** Return a promise of an answer, which is fetched only once. */
function fetchAnswer(number) {
  if (!fetched.has(number)) {
    const answer = ask(place(number) + query());
    fetched.set(number, answer);
    answer.catch(() => fetched.delete(number));
  }
  return fetched.get(number);
}

/** Wait for a request that the marker asked for; show a message and return null if it fails. */
async function tried(work) {
  try {
    return await work();
  } catch (error) {
    tell(say("offline", { problem: error.message }), true);
    return null;
  }
}

// ---------------------------------------------------------------- small parts of the page

/** Return a new element of the page; attributes that are no texts become its properties. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in made && typeof value !== "string") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

const button = (text, onclick, attributes = {}) =>
  element("button", { type: "button", onclick, ...attributes }, text);

/** Show HTML that the server has sanitized; links in it open another tab. */
function show(target, html) {
  target.innerHTML = html;
  for (const link of target.querySelectorAll("a[href]")) link.target = "_blank";
  for (const picture of target.querySelectorAll("img")) picture.decoding = "async";
}

/** Show a message above the answer. */
function tell(text, isProblem = false) {
  $("status").textContent = text;
  $("status").classList.toggle("problem", isProblem);
}

const number = (points) => String(Math.round(points * 1000) / 1000);
const said = (mark) => ({ points: number(mark.points), comment: mark.comment });
const called = (n) => say("answer", { number: n }) + (names[n] ? `: ${names[n]}` : "");

// ---------------------------------------------------------------- start, and the lists

/** Prepare the form in which a marker chooses a question and enters a name. */
function start() {
  $("who").value = localStorage.getItem("dpteach-marker") ?? "";
  $("keys").checked = localStorage.getItem("dpteach-keys") !== "off";
  const loaded = listed();
  $("start").onsubmit = (event) => { event.preventDefault(); loaded.then(begin); };
  setInterval(() => data && !document.hidden && refresh(), REFRESH);
}

/** Fill the lists of assignments and their questions. */
async function listed() {
  const found = await tried(() => ask("assignments"));
  if (found && !found.length) tell(say("nothing"));
  const [wanted, part] = location.hash.slice(1).split("/"); // names need no escapes
  for (const one of found ?? []) $("assignment").add(new Option(one.name));
  if (found?.some((one) => one.name === wanted)) $("assignment").value = wanted;
  const list = () => {
    const items = found?.find((one) => one.name === $("assignment").value)?.items ?? [];
    const options = items.map((one) => new Option(say("itemOption", one), one.name));
    $("item").replaceChildren(...options);
  };
  list();
  if ([...$("item").options].some((one) => one.value === part)) $("item").value = part;
  $("assignment").onchange = () => { list(); if (data) begin(); };
  $("item").onchange = () => data && begin();
}

/** Show the first unmarked answer of the marker's pile to the chosen question. */
async function begin() {
  if (!$("item").value) return;
  await Promise.allSettled(sending.values());
  who = $("who").value.trim().replace(/\s+/g, " ");
  [assignment, item] = [$("assignment").value, $("item").value];
  shown = null; // keys do nothing until an answer to this question is shown
  fetched.clear();
  arrived.clear();
  names = {};
  $("names").checked = false;
  settling = null;
  const joined = await tried(async () => { await ask(`${assignment}/join`, { who }); return true; });
  if (!joined || !(await refresh())) return;
  localStorage.setItem("dpteach-marker", who);
  history.replaceState(null, "", `#${assignment}/${item}`);
  $("desk").hidden = false;
  drawScheme();
  tell("");
  const first = following(0, 1, true) ?? mine()[0] ?? data.answers[0];
  if (first) await open(first.number);
}

/** Fetch the state of all answers to the question, and return it; null if that fails. */
async function refresh() {
  const before = [assignment, item, who].join("\n"), asked = performance.now();
  const now = await tried(() => ask(`${assignment}/item/${encodeURIComponent(item)}${query()}`));
  if (!now || before !== [assignment, item, who].join("\n")) return null;
  const known = new Map(data?.answers.map((one) => [one.number, one.state]));
  for (const one of now.answers) {
    // keep the known state of an answer that was marked while this reply was on its way
    const older = sending.has(one.number) || arrived.get(one.number) >= asked;
    if (older) one.state = known.get(one.number) ?? one.state;
    else if (known.get(one.number) !== one.state) fetched.delete(one.number);
  }
  data = now;
  drawLists();
  return now;
}

const mine = () => data.answers.filter((one) => one.mine);

/** Return the next (step 1) or previous (-1) answer of the marker's pile, perhaps unmarked ones only. */
function following(from, step, unmarked) {
  const pile = mine().filter((one) => !unmarked || (one.state !== "marked" && one.number !== from));
  const after = pile.filter((one) => (one.number - from) * step > 0);
  if (step < 0) after.reverse();
  return after[0] ?? (unmarked ? pile[0] : undefined);
}

/** Draw the progress, the list of all answers and the table of agreement. */
function drawLists() {
  const done = (list) => ({ done: list.filter((one) => one.state === "marked").length, total: list.length });
  $("progress").textContent =
    `${say("mine", done(mine()))} · ${say("everything", { done: data.done, total: data.total })}`;
  const option = [...$("item").options].find((one) => one.value === item);
  if (option) option.text = say("itemOption", data);
  $("markers").textContent =
    data.markers.map((one) => `${one.name}: ${one.done}/${one.total}`).join(" · ");
  $("list").replaceChildren(...data.answers.map((one) => {
    const attributes = { class: `number ${one.state} ${one.mine ? "mine" : ""}`, title: one.hands.join(", ") };
    const label = `${called(one.number)}, ${say(one.state).split(":")[0]}`;
    if (one.number === shown?.number) attributes["aria-current"] = "true";
    const mark = one.state === "marked" ? "✓ " : one.state === "changed" ? "! " : "";
    const text = mark + (names[one.number] ? `${one.number} ${names[one.number]}` : one.number);
    return element("li", {}, button(text, () => open(one.number), { ...attributes, "aria-label": label }));
  }));
  drawAgreement();
}

function drawAgreement() {
  const found = data.agreement;
  if (!found) return $("agreed").replaceChildren(element("p", {}, say("noAgreement")));
  const rows = [
    ["count", found.count],
    ["difference", number(found.difference)],
    ["distance", number(found.distance)],
    ["equal", `${Math.round(100 * found.equal)} %`],
    ["kappa", found.kappa === null ? say("undefined") : found.kappa.toFixed(2)],
  ].map(([name, value]) =>
    element("tr", {}, element("th", { scope: "row" }, say(name)), element("td", {}, String(value))));
  const open = data.unsettled.map((one) => element("li", {},
    button(say("settle", { number: one.number }), () => settle(one)), " ", one.marks.map(oneOfTwo).join(" · ")));
  const list = open.length ? element("ul", {}, ...open) : element("p", {}, say("allSettled"));
  const table = element("table", {}, element("tbody", {}, ...rows));
  return $("agreed").replaceChildren(table, element("h3", {}, say("unsettled")), list);
}

const oneOfTwo = (mark) => say("oneOfTwo", { who: mark.who || say("formgrader"), ...said(mark) });

// ---------------------------------------------------------------- one answer

/** Show the answer with a number, and fetch the unmarked answers after it ahead. */
async function open(n, disagreement = null) {
  opening = true;
  const answer = await tried(() => fetchAnswer(n)).finally(() => { opening = false; });
  if (!answer) return;
  settling = disagreement;
  draw(answer);
  let next = n;
  for (let i = 0; i < AHEAD; i += 1) {
    next = following(next, 1, true)?.number;
    if (next === undefined || next === n) break;
    fetchAnswer(next).catch(() => {});
  }
}

const settle = (disagreement) => open(disagreement.number, disagreement);

/** Show an answer with its question and its mark. */
function draw(answer) {
  if (shown?.question !== answer.question) show($("question"), answer.question);
  if (shown?.rubric !== answer.rubric) show($("rubric"), answer.rubric);
  $("rubric-box").hidden = !answer.rubric;
  shown = answer;
  show($("answer"), answer.answer);
  $("answer").scrollTop = 0;
  const mark = settling ? null : answer.mark;
  $("heading").textContent = called(answer.number);
  drawAbout(answer);
  $("both").replaceChildren(...(settling ? [element("p", { class: "problem" }, say("settling")),
    element("ul", {}, ...settling.marks.map((one) => element("li", {}, oneOfTwo(one))))] : []));
  choice = mark?.lines.length ? [...mark.lines] : data.criteria.map(() => 0);
  decided = Boolean(mark);
  entry = "";
  $("points").value = mark ? number(mark.points) : "";
  $("comment").value = mark?.comment ?? "";
  drawChoice();
  drawEarlier();
  for (const one of $("list").querySelectorAll("[aria-current]")) one.removeAttribute("aria-current");
  $("list").children[data.answers.findIndex((one) => one.number === answer.number)]
    ?.firstChild.setAttribute("aria-current", "true");
  $("heading").focus({ preventScroll: true });
  window.scrollTo(0, $("desk").offsetTop);
}

/** Show whether an answer is marked, and who marked it. */
function drawAbout(answer) {
  const mark = settling ? null : answer.mark;
  const state = data.answers.find((one) => one.number === answer.number)?.state ?? answer.state;
  const by = !mark ? "" : mark.who ? say("by", mark) : say("byFormgrader");
  $("about").textContent = [say(state), by].filter(Boolean).join(" · ");
  $("about").classList.toggle("problem", state === "changed");
}

/** Draw a button for each choice of each line of the scheme; the first nine have digits as keys. */
function drawScheme() {
  $("points-label").textContent = say("points", { most: number(data.points) });
  let count = 0;
  $("scheme").replaceChildren(...data.criteria.map((criterion, i) => {
    const choices = criterion.map((one, j) => {
      const made = button("", () => pick(i, j + 1), { class: "choice", "aria-pressed": "false" });
      const key = element("kbd", { "aria-hidden": "true" }, (count += 1) < 10 ? String(count) : "");
      made.append(key, " ", element("b", {}, one.label), " ", element("span"));
      show(made.lastChild, one.html);
      return made;
    });
    return element("div", { role: "group", "aria-label": say("line", { key: i + 1 }) }, ...choices);
  }));
  if (!data.criteria.length) $("scheme").replaceChildren(element("p", {}, say("noScheme")));
}

/** Take a choice of a line of the scheme; if it is taken already, take none. */
function pick(line, wanted) {
  choice[line] = choice[line] === wanted ? 0 : wanted;
  decide();
}

/** Take in each line of the scheme the choice that a function returns for the line's choices. */
function pickAll(wanted) {
  if (!data.criteria.length) return;
  choice = data.criteria.map(wanted);
  decide();
}

/** Show the points and the lines after a change of the choices. */
function decide() {
  decided = true;
  entry = "";
  $("points").value = earned();
  drawChoice();
}

/** Return the points of the choices that are taken, as text. */
const earned = () => number(choice.reduce(
  (sum, chosen, i) => sum + (chosen ? data.criteria[i][chosen - 1].points : 0), 0));

/** Show points that the marker gives without the scheme, and take no line. */
function givePoints(text) {
  choice = choice.map(() => 0);
  decided = text !== "";
  $("points").value = text;
  drawChoice();
}

function drawChoice() {
  $("scheme").querySelectorAll("[role=group]").forEach((line, i) =>
    line.querySelectorAll(".choice").forEach((one, j) =>
      one.setAttribute("aria-pressed", String(choice[i] === j + 1))));
}

/** List earlier comments that contain the text of the comment typed so far. */
function drawEarlier() {
  const typed = $("comment").value.trim().toLowerCase();
  const fitting = (data.comments ?? []).filter((text) =>
    text.toLowerCase().includes(typed) && text.toLowerCase() !== typed).slice(0, 6);
  $("earlier-box").hidden = !fitting.length;
  $("earlier").replaceChildren(...fitting.map((text) => element("li", {}, button(text, () => {
    $("comment").value = text;
    $("comment").focus();
    drawEarlier();
  }, { class: "earlier" }))));
}

// ---------------------------------------------------------------- saving

/** Send the mark on the screen to the server, and show the next answer. */
function save() {
  if (opening) return undefined; // the answer on the screen was saved by the key before
  const points = Number($("points").value.replace(",", "."));
  if (!decided || $("points").value.trim() === "") return tell(say("undecided"), true);
  if (!(points >= 0 && points <= data.points)) {
    return tell(say("wrongPoints", { most: number(data.points) }), true);
  }
  const byLines = data.criteria.length && earned() === number(points);
  const mark = {
    who, points, comment: $("comment").value.trim(), lines: byLines ? [...choice] : [],
    seen: shown.seen, settles: Boolean(settling),
  };
  send(shown.number, mark, shown.answer);
  return forward();
}

/** Show the next disagreement or the next unmarked answer; stay if there is none. */
function forward() {
  const disagreement = settling && data.unsettled.find((one) => one.number !== settling.number);
  if (settling) data.unsettled = data.unsettled.filter((one) => one.number !== settling.number);
  if (disagreement) return settle(disagreement);
  const next = following(shown.number, 1, true);
  if (next) return open(next.number);
  tell(say("done"));
  return $("take").focus();
}

/** Send a mark of the answer with a number and a text; if it is not written, show the problem. */
function send(n, mark, text) {
  const to = place(n), before = [assignment, item];
  const entry = data.answers.find((one) => one.number === n);
  if (mark.comment) data.comments = [mark.comment, ...data.comments.filter((one) => one !== mark.comment)];
  entry.state = "marked";
  problems.delete(n);
  drawProblems();
  drawLists();
  const here = () => before[0] === assignment && before[1] === item;
  const sent = (sending.get(n) ?? Promise.resolve()).catch(() => {}).then(() => ask(to, mark)).then(
    (now) => {
      if (here()) fetched.set(n, Promise.resolve(now));
      // the last answer of a pile stays on the screen, where its mark can be changed
      if (here() && shown?.number === n) drawAbout(shown = now);
      if (!problems.size && !$("status").classList.contains("problem")) tell(say("saved", { number: n }));
    },
    (error) => {
      if (here()) fetched.delete(n);
      entry.state = error.now?.state ?? "open";
      problems.set(n, { mark, text, error });
      drawProblems();
    },
  ).finally(() => {
    arrived.set(n, performance.now());
    if (sending.get(n) === sent) sending.delete(n);
    if (!sending.size && here()) refresh();
  });
  sending.set(n, sent);
}

/** List the marks that were not written, with buttons to decide what to do. */
function drawProblems() {
  $("problems").replaceChildren(...[...problems].map(([n, { mark, text, error }]) => {
    const { now } = error;
    const drop = () => { problems.delete(n); drawProblems(); };
    const write = () => send(n, { ...mark, seen: now?.seen ?? mark.seen }, now?.answer ?? text);
    const parts = now
      ? [say(now.answer === text ? "conflict" : "answerChanged", { number: n }), now.mark && say("theirs", said(now.mark)),
        say("yours", said(mark))]
      : [say("failed", { number: n, problem: error.message })];
    const buttons = now
      ? [button(say("keep"), drop), button(say("overwrite"), write), button(say("look"), () => { fetched.delete(n); open(n); })]
      : [button(say("again"), write)];
    return element("div", { class: "problem" }, ...parts.filter(Boolean).map((text) => element("p", {}, text)),
      element("p", { class: "row" }, ...buttons));
  }));
}

// ---------------------------------------------------------------- what else a marker does

/** Get more answers from the fullest pile of another marker. */
async function take() {
  const taken = await tried(() => ask(`${assignment}/take`, { who, item }));
  if (!taken) return;
  await refresh();
  tell(taken.length ? say("taken", { count: taken.length }) : say("noneTaken"));
  const next = following(shown?.number ?? 0, 1, true);
  if (taken.length && next) open(next.number);
}

/** Show or hide the names of the students. */
async function showNames() {
  names = $("names").checked ? (await tried(() => ask(`${assignment}/names`, { who }))) ?? {} : {};
  drawLists();
  if (shown) $("heading").textContent = called(shown.number);
}

/** Show the next (1) or previous (-1) answer of the marker's pile. */
function step(by) {
  const next = shown && following(shown.number, by, false);
  if (next) open(next.number);
}

const toggle = (id) => { $(id).open = !$(id).open; };
const KEYS = {
  a: () => { if (data.criteria.length) pickAll(() => 1); else givePoints(number(data.points)); },
  s: () => pickAll((choices) => choices.length),
  d: () => pickAll((choices) => (choices.length > 1 ? choices.length : 0)),
  c: () => $("comment").focus(),
  g: () => { entry = entry === "given" ? "" : "given"; givePoints(""); tell(entry ? say("giving") : ""); },
  n: () => step(1), ArrowRight: () => step(1),
  p: () => step(-1), ArrowLeft: () => step(-1),
  q: () => toggle("question-box"),
  r: () => toggle("rubric-box"),
  t: take,
  "?": () => $("dialog").showModal(),
};

/**
 * Change the mark by a digit, and return false if the digit has no meaning for this question.
 *
 * After the key g (`entry` is "given"), the digit is the number of points. In a question without a
 * scheme, the digit is appended to the points (`entry` becomes "typed"). Otherwise it is the number
 * of a choice, counted over all lines of the scheme, and 0 takes no choice.
 */
function digit(key) {
  if (entry === "given") {
    givePoints($("points").value === key ? `${key}.5` : key);
  } else if (!data.criteria.length) {
    const typed = decided && entry !== "typed" ? "" : $("points").value;
    givePoints(key === "Backspace" ? typed.slice(0, -1) : typed + key);
    entry = "typed";
  } else if (key === "0") pickAll(() => 0);
  else {
    const choices = data.criteria.flatMap((line, i) => line.map((_one, j) => [i, j + 1]));
    if (Number(key) > choices.length) return false;
    pick(...choices[Number(key) - 1]);
  }
  return true;
}

/** Do what a key means in the element that has the focus. */
function pressed(event) {
  if (!data || $("dialog").open || event.ctrlKey || event.altKey || event.metaKey) return;
  const { target, key } = event;
  const inMark = target.closest("#mark");
  if (target === $("comment") && key === "ArrowDown" && $("earlier").firstChild) {
    if (target.selectionStart < target.value.length) return;
    $("earlier").querySelector("button").focus();
  } else if (target.matches(".earlier") && (key === "ArrowDown" || key === "ArrowUp")) {
    const near = target.parentNode[key === "ArrowDown" ? "nextSibling" : "previousSibling"];
    (near?.firstChild ?? (key === "ArrowUp" ? $("comment") : target)).focus();
  } else if (key === "Escape" && inMark) $("heading").focus();
  else if (key === "Enter" && !event.shiftKey && shown &&
    (target.matches("#comment, #points, .choice") || !target.closest("button, a, input, select, summary"))) save();
  else if (target.matches("input:not([type=checkbox]), textarea, select") || !$("keys").checked || !shown) return;
  else {
    // use the code of the key: the character of a digit key depends on the keyboard and on Shift
    const code = event.code.match(/^(Digit|Numpad)(\d)$/);
    if (code && (code[1] === "Digit" || event.shiftKey || key === code[2])) {
      if (opening || (event.shiftKey && event.repeat)) return;
      if (!digit(code[2])) return;
      if (event.shiftKey) save();
    } else if ((key === "." || key === "," || key === "Backspace") && !data.criteria.length) digit(key.replace(",", "."));
    else if (KEYS[key] && (!event.shiftKey || key === "?")) KEYS[key]();
    else return;
  }
  event.preventDefault();
}

document.addEventListener("keydown", pressed);
$("mark").onsubmit = (event) => { event.preventDefault(); if (shown) save(); };
$("points").oninput = () => { const typed = $("points").value; givePoints(typed); };
$("comment").oninput = drawEarlier;
$("previous").onclick = KEYS.p;
$("next").onclick = KEYS.n;
$("take").onclick = take;
$("help").onclick = KEYS["?"];
$("names").onchange = showNames;
$("keys").onchange = () => localStorage.setItem("dpteach-keys", $("keys").checked ? "on" : "off");
window.addEventListener("beforeunload", (event) => {
  if (sending.size || problems.size) event.preventDefault();
});
start();
