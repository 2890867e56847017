// The sliders of an explorer, for a built page (mount) and for a notebook (render).
const dpteachExplorer = (() => {
  "use strict";
  let serial = 0;

  // the texts of this file in another language, by the English ones
  const translated = new Map();
  const _ = (text, values = {}) =>
    (translated.get(text) ?? text).replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

  function element(name, properties, attributes) {
    const node = Object.assign(document.createElement(name), properties);
    for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
    return node;
  }

  const address = (svg) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

  // --- what is on the page -----------------------------------------------------------------

  // Puts sliders and handles around the picture that stands in root. source.moved(indices, which)
  // is called when the reader moves slider number `which`, source.path(which, indices) returns
  // where its handle would be at each of its values, or nothing while that is not known.
  function build(root, spec, indices, source) {
    for (const [text, own] of Object.entries(spec.messages ?? {})) translated.set(text, own);
    const stage = root.querySelector(".dpteach-explorer-stage");
    const view = stage.querySelector(".dpteach-explorer-view");
    const picture = view.querySelector("img");
    const rows = stage.querySelectorAll(".dpteach-explorer-row");
    const actions = stage.querySelector(".dpteach-explorer-actions");
    const status = element("p", { className: "dpteach-explorer-status" }, { role: "status" });
    const problem = element("p", { className: "dpteach-explorer-problem" }, { role: "alert" });
    // JupyterLab leaves the keys to this element
    root.setAttribute("data-lm-suppress-shortcuts", "true");

    const parts = spec.sliders.map((slider, which) => {
      const id = `dpteach-slider-${(serial += 1)}`;
      const last = slider.texts.length - 1;
      const [label, input, output] = rows[which].children;
      Object.assign(input, { id, disabled: false });
      input.setAttribute("data-lm-suppress-shortcuts", "true");
      input.removeAttribute("aria-label"); // its label says it, now that it has a name
      label.htmlFor = output.htmlFor = id;
      output.setAttribute("aria-live", "off");
      const handle = element(
        "div",
        { className: "dpteach-explorer-handle", tabIndex: 0, hidden: true },
        {
          role: "slider",
          "aria-label": _("{label}, in the picture", { label: slider.label }),
          "aria-valuemin": 0,
          "aria-valuemax": last,
        },
      );
      input.addEventListener("input", () => move(which, input.valueAsNumber));
      hold(handle, view, {
        path: () => source.path(which, indices),
        at: () => indices[which],
        last,
        move: (k) => move(which, k),
      });
      view.append(handle);
      return { input, output, handle };
    });

    // A click goes where a handle would be nearest; if a path is not known yet, once it is.
    let clicked;
    picture.addEventListener("click", (event) => {
      clicked = [event.clientX, event.clientY];
      click();
    });
    function click() {
      if (!clicked) return;
      const held = parts.flatMap(({ handle }, which) => (handle.hidden ? [] : [which]));
      const paths = held.map((which) => source.path(which, indices));
      if (!paths.every(Boolean)) return;
      const found = held.map((which, i) => [
        which,
        ...nearest(view, paths[i], indices[which], ...clicked),
      ]);
      clicked = undefined;
      if (found.length) move(...found.reduce((best, one) => (one[2] < best[2] ? one : best)));
    }

    // the words and the places of the sliders; the picture follows when it is there
    function say() {
      parts.forEach(({ input, output, handle }, which) => {
        const text = spec.sliders[which].texts[indices[which]];
        input.value = indices[which];
        output.value = text;
        input.setAttribute("aria-valuetext", text);
        handle.setAttribute("aria-valuenow", indices[which]);
        handle.setAttribute("aria-valuetext", text);
      });
    }

    function set(places, which, speak = true) {
      indices = places;
      say();
      source.moved(indices, which, speak);
    }

    function move(which, k) {
      const place = Math.min(Math.max(k, 0), spec.sliders[which].texts.length - 1);
      if (place !== indices[which]) set(indices.with(which, place), which);
    }

    let waiting;
    function show(address, alt, places, speak) {
      if (picture.src !== address) picture.src = address;
      picture.alt = alt;
      parts.forEach(({ handle }, which) => {
        const place = places[which];
        handle.hidden = !place;
        if (place) [handle.style.left, handle.style.top] = place.map((share) => `${100 * share}%`);
      });
      clearTimeout(waiting);
      // said once, when the slider rests
      if (speak) waiting = setTimeout(() => (status.textContent = alt), 700);
    }

    say();
    stage.append(problem, status);
    const lost = _("This picture could not be loaded.");
    picture.addEventListener("error", () => {
      problem.textContent = lost;
    });
    picture.addEventListener("load", () => {
      // what else is said there stays true
      if (problem.textContent === lost) problem.textContent = "";
    });
    const menu = folded(actions);
    lecture(root, stage, menu, {
      inputs: parts.map(({ input }) => input),
      step: (which, by) => move(which, indices[which] + by),
    });
    return { show, set, click, stage, menu, status, problem, indices: () => indices };
  }

  // --- what is seldom wanted ---------------------------------------------------------------

  const DOTS =
    '<svg viewBox="0 0 16 16" width="16" height="16" fill="currentColor" aria-hidden="true">' +
    '<circle cx="3" cy="8" r="1.5"/><circle cx="8" cy="8" r="1.5"/><circle cx="13" cy="8" r="1.5"/></svg>';

  // One small button, which opens a menu: arrows go through it, Escape closes it.
  function folded(actions) {
    const id = `dpteach-menu-${(serial += 1)}`;
    const opener = element(
      "button",
      { type: "button", className: "dpteach-explorer-opener", innerHTML: DOTS },
      { "aria-label": _("Figure menu"), "aria-expanded": "false", "aria-controls": id },
    );
    const list = element("div", { id, className: "dpteach-explorer-menu", hidden: true });
    const items = () => [...list.querySelectorAll("button")];
    const open = (shown) => {
      list.hidden = !shown;
      opener.setAttribute("aria-expanded", String(shown));
    };
    const close = () => {
      const inside = list.contains(document.activeElement);
      open(false);
      if (inside) opener.focus();
    };
    opener.addEventListener("click", () => open(list.hidden));
    actions.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape" && !list.hidden) close();
      else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        const all = items();
        const at = all.indexOf(document.activeElement);
        open(true);
        const up = event.key === "ArrowUp";
        all.at(at < 0 ? (up ? -1 : 0) : (at + (up ? -1 : 1)) % all.length).focus();
      } else return;
      event.preventDefault();
      event.stopPropagation();
    });
    actions.addEventListener("focusout", (event) => {
      if (event.relatedTarget && !actions.contains(event.relatedTarget)) open(false);
    });
    document.addEventListener("pointerdown", (event) => {
      if (!actions.contains(event.target)) open(false);
    });
    actions.append(opener, list);
    return { list, opener, close };
  }

  // The value whose place on a path is nearest to a point of the screen, and how far that is.
  function nearest(view, path, at, x, y) {
    const box = view.getBoundingClientRect();
    const far = path.map((place) =>
      place ? Math.hypot(box.left + place[0] * box.width - x, box.top + place[1] * box.height - y)
        : Infinity,
    );
    const least = Math.min(...far);
    // of those at one place, as at the edge, the one that takes the fewest steps
    const found = far.reduce((best, distance, k) => {
      const nearer = Math.abs(k - at) < Math.abs(best - at);
      return distance <= least + 0.5 && (best < 0 || nearer) ? k : best;
    }, -1);
    return [found, least];
  }

  // A handle in the picture: it goes to the value whose place is nearest to the pointer, or to
  // the next one in the direction of an arrow.
  function hold(handle, view, slider) {
    let offset;
    handle.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      const box = handle.getBoundingClientRect();
      offset = [event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2];
      handle.setPointerCapture(event.pointerId);
      handle.focus({ preventScroll: true });
      event.preventDefault();
      slider.path();
    });
    handle.addEventListener("pointermove", (event) => {
      const path = offset && slider.path();
      if (!path) return;
      const [x, y] = [event.clientX - offset[0], event.clientY - offset[1]];
      slider.move(nearest(view, path, slider.at(), x, y)[0]);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      handle.addEventListener(end, () => (offset = undefined));
    }
    const arrows = {
      ArrowRight: [1, 0, 1],
      ArrowLeft: [-1, 0, -1],
      ArrowUp: [0, -1, 1],
      ArrowDown: [0, 1, -1],
    };
    handle.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const at = slider.at();
      let to = at;
      if (event.key in arrows) {
        const [right, down, otherwise] = arrows[event.key];
        const path = slider.path() || [];
        // how far it goes that way in the picture, at the next value that stands elsewhere
        const along = (step) => {
          for (let k = at + step; path[at] && path[k]; k += step) {
            const far = (path[k][0] - path[at][0]) * right + (path[k][1] - path[at][1]) * down;
            if (far) return far;
          }
          return 0;
        };
        const [same, other] = [along(otherwise), along(-otherwise)];
        if (Math.max(same, other) >= 0) to = at + (other > same ? -otherwise : otherwise);
      } else {
        const tenth = Math.max(1, Math.round(slider.last / 10));
        const keys = { Home: 0, End: slider.last, PageUp: at + tenth, PageDown: at - tenth };
        if (!(event.key in keys)) return;
        to = keys[event.key];
      }
      event.preventDefault();
      slider.move(to);
    });
  }

  // --- lecture mode ------------------------------------------------------------------------

  // The stage fills the screen, and keys do everything, a presenter's remote too.
  function lecture(root, stage, menu, sliders) {
    const button = element("button", { type: "button", textContent: _("Lecture mode") });
    const dialog = element("dialog", { className: "dpteach-lecture" }, { "aria-label": _("Lecture") });
    const last = sliders.inputs.length;
    const answer = stage.querySelector(".dpteach-explorer-answer");
    const more = stage.querySelector(".dpteach-explorer-more");
    let unfolded;
    const hint = element("p", {
      className: "dpteach-lecture-hint",
      textContent: [
        last === 1 ? "" : _("1–{last}: slider", { last }),
        _("← → or Page ↑ ↓: move"),
        answer ? _("A: answer") : "",
        _("Esc: leave"),
      ].filter(Boolean).join(" · "),
    });
    let current = 0;
    sliders.inputs.forEach((input, which) => {
      input.addEventListener("focus", () => (current = which));
    });
    const leave = () => dialog.close();

    async function enter() {
      menu.close();
      unfolded = more?.open;
      if (more) more.open = true;
      root.append(dialog);
      dialog.append(stage, hint);
      // the browser's own bars go too, where it lets them
      await document.documentElement.requestFullscreen?.().catch(() => {});
      dialog.showModal();
      sliders.inputs[current].focus();
    }
    button.addEventListener("click", enter);
    dialog.addEventListener("close", () => {
      root.prepend(stage);
      dialog.remove();
      if (more) more.open = unfolded;
      if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
      menu.opener.focus();
    });
    // where the screen was full, the browser keeps the first Esc for itself
    document.addEventListener("fullscreenchange", () => {
      if (!document.fullscreenElement && dialog.open) leave();
    });

    const steps = {
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: 1,
      ArrowLeft: -1,
      ArrowDown: -1,
      PageUp: -1,
    };
    dialog.addEventListener(
      "keydown",
      (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const paging = event.key.startsWith("Page");
        if (event.key in steps && (paging || !event.target.matches("[role=slider]"))) {
          sliders.step(current, steps[event.key]);
        } else if (event.key >= "1" && event.key <= String(Math.min(sliders.inputs.length, 9))) {
          sliders.inputs[Number(event.key) - 1].focus();
        } else if (event.key.toLowerCase() === "a" && answer) {
          answer.open = !answer.open;
        } else return;
        event.preventDefault();
        event.stopPropagation();
      },
      true,
    );
    menu.list.append(button);
  }

  // --- a built page ------------------------------------------------------------------------

  const loaded = new Map(); // the frames that scripts have brought, and who waits for them
  const entry = (name) => {
    if (!loaded.has(name)) {
      const one = {};
      one.ready = new Promise((resolve) => (one.resolve = resolve));
      loaded.set(name, one);
    }
    return loaded.get(name);
  };

  // A file of frames calls this: each of them is a list of runs of pieces that all share.
  function frames(name, { pieces, frames: runs, places }) {
    entry(name).resolve({
      places,
      svg(frame) {
        const text = [];
        for (let i = 0; i < runs[frame].length; i += 2) {
          text.push(...pieces.slice(runs[frame][i], runs[frame][i + 1] + 1));
        }
        return text.join("");
      },
    });
  }

  const words = (svg) => {
    const found = /<dc:description>([^<]*)/.exec(svg);
    return new DOMParser().parseFromString(found ? found[1] : "", "text/html").body.textContent;
  };

  // A script, and no request for data: it can be loaded where the page is a file, too.
  function load(root, name) {
    const one = entry(name);
    if (!one.script) {
      const folder = root.querySelector("img").src.replace(/[^/]*$/, "");
      one.script = element("script", { src: `${folder}frames.js`, async: true });
      one.script.addEventListener("error", () => one.failed?.forEach((tell) => tell()));
      document.head.append(one.script);
    }
    return one;
  }

  function mount(root) {
    const spec = JSON.parse(root.querySelector("script").textContent);
    const counts = spec.sliders.map((slider) => slider.texts.length);
    const at = (indices) => indices.reduce((sum, k, i) => sum * counts[i] + k, 0);
    const first = spec.sliders.map((slider) => slider.index);
    const name = root.closest("figure[id], .cell[id]")?.id || `explorer-${(serial += 1)}`;
    const picture = root.querySelector("img");
    let drawn;
    let begun = false;

    const bring = () => {
      if (begun) return;
      begun = true;
      const one = load(root, spec.frames);
      (one.failed ||= []).push(() => {
        parts.problem.textContent = _("The other pictures could not be loaded.");
      });
      one.ready.then((frames) => {
        drawn = frames;
        const frame = at(first);
        if (frame === at(parts.indices())) {
          parts.show(picture.src, picture.alt, drawn.places[frame], false);
        } else draw(false);
      });
    };
    const draw = (speak) => {
      const frame = at(parts.indices());
      const svg = drawn.svg(frame);
      parts.show(address(svg), words(svg), drawn.places[frame], speak);
    };
    const parts = build(root, spec, first, {
      moved(_indices, _which, speak) {
        bring();
        if (drawn) draw(speak);
      },
      path: (which, indices) =>
        drawn &&
        spec.sliders[which].texts.map((text, k) => drawn.places[at(indices.with(which, k))][which]),
    });
    link(root, spec, name, parts);
    // a link to a state shows that state
    if (spec.plays && at(parts.indices()) === at(first) && !location.hash.startsWith(`#${name}?`)) {
      bring();
      play(counts[0] - 1, parts, entry(spec.frames).ready);
    }

    // a screen or two before the reader is there
    const near = new IntersectionObserver(
      (seen) => {
        if (!seen.some((each) => each.isIntersecting)) return;
        near.disconnect();
        bring();
      },
      { rootMargin: "1200px" },
    );
    near.observe(root);
    root.addEventListener("focusin", bring);
  }

  // The first slider moves once through its values, unless the reader does something or wants no
  // motion. Screen readers are not told: nobody asked for these pictures.
  function play(end, parts, ready) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const signs = ["pointerdown", "keydown", "focusin", "wheel", "visibilitychange", "hashchange"];
    const ended = new AbortController();
    let timer;
    const stop = () => {
      clearTimeout(timer);
      ended.abort();
    };
    const options = { capture: true, passive: true, signal: ended.signal };
    for (const sign of signs) window.addEventListener(sign, stop, options);
    const step = () => {
      const [k, ...others] = parts.indices();
      if (k < end) parts.set([k + 1, ...others], 0, false);
      if (k + 1 < end) timer = setTimeout(step, 4000 / end);
      else stop();
    };
    ready.then(() => {
      // the first picture stays for a moment
      if (!ended.signal.aborted) timer = setTimeout(step, 1000);
    });
  }

  // "Copy a link to this state", and the state of the link that led here.
  function link(root, spec, name, parts) {
    const button = element("button", { type: "button", textContent: _("Copy a link to this state") });
    const field = element(
      "input",
      { type: "text", readOnly: true, hidden: true, className: "dpteach-explorer-link" },
      { "aria-label": _("Link to this state") },
    );
    const words = button.textContent;
    let waiting;
    button.addEventListener("click", async () => {
      const state = new URLSearchParams(
        spec.sliders.map((slider, i) => [slider.name, slider.values[parts.indices()[i]]]),
      );
      const target = `${location.href.split("#")[0]}#${name}?${state}`;
      try {
        await navigator.clipboard.writeText(target);
        button.textContent = parts.status.textContent = _("Link copied");
        field.hidden = true;
        clearTimeout(waiting);
        waiting = setTimeout(() => (button.textContent = words), 2500);
      } catch {
        // no right to the clipboard: then by hand
        parts.menu.close();
        field.value = target;
        field.hidden = false;
        field.focus();
        field.select();
        parts.status.textContent = _("Copy the selected link.");
      }
    });
    parts.menu.list.prepend(button);
    parts.problem.before(field);

    const restore = () => {
      const [where, state] = location.hash.slice(1).split("?");
      if (where !== name || !state) return;
      const asked = new URLSearchParams(state);
      const indices = spec.sliders.map((slider, i) => {
        const k = slider.values.indexOf(asked.get(slider.name));
        return k < 0 ? parts.indices()[i] : k;
      });
      parts.set(indices);
      // what the link has set is seen
      const more = parts.stage.querySelector(".dpteach-explorer-more");
      if (more && indices.some((k, i) => i && k !== spec.sliders[i].index)) more.open = true;
      const look = () => root.scrollIntoView({ block: "center" });
      look();
      // what is above may still grow
      if (document.readyState !== "complete") window.addEventListener("load", look, { once: true });
    };
    window.addEventListener("hashchange", restore);
    restore();
  }

  // --- a notebook --------------------------------------------------------------------------

  // The kernel draws.
  function render({ model, el }) {
    el.innerHTML = model.get("html");
    const root = el.firstElementChild;
    const spec = JSON.parse(root.querySelector("script").textContent);
    const paths = new Map(); // asked once for each slider, while the others stay
    const key = (which, indices) => `${which}:${indices.with(which, 0)}`;
    const parts = build(root, spec, model.get("indices"), {
      moved(indices) {
        model.set("indices", indices);
        model.save_changes();
      },
      path(which, indices) {
        const asked = key(which, indices);
        if (!paths.has(asked)) {
          paths.set(asked, undefined);
          model.send({ which, indices });
        }
        return paths.get(asked);
      },
    });
    const update = (speak) =>
      parts.show(address(model.get("picture")), model.get("alt"), model.get("places"), speak);
    const events = [
      ["change:picture", () => update(true)],
      ["change:problem", () => (parts.problem.textContent = model.get("problem"))],
      [
        "msg:custom",
        ({ which, indices, path }) => {
          paths.set(key(which, indices), path.length ? path : undefined);
          parts.click();
        },
      ],
    ];
    events.forEach(([event, act]) => model.on(event, act));
    update(false);
    return () => events.forEach(([event, act]) => model.off(event, act));
  }

  return { mount, render, frames };
})();

document.querySelectorAll("[data-dpteach-explorer]").forEach(dpteachExplorer.mount);
