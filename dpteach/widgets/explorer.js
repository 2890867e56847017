// The script of an explorer, a figure with sliders: mount() starts it on a built page, where the
// pictures come from a file; render() starts it in a notebook, where the kernel draws them.
const dpteachExplorer = (() => {
  "use strict";
  let serial = 0;

  // the translations of the texts in this file, by the English texts
  const translated = new Map();
  const _ = (text, values = {}) =>
    (translated.get(text) ?? text).replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

  function element(name, properties, attributes) {
    const node = Object.assign(document.createElement(name), properties);
    for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
    return node;
  }

  const address = (svg) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

  // --- sliders and handles, on a page and in a notebook -------------------------------------

  // Adds sliders and handles to the picture in the element `root`. `indices` has the position of
  // each slider. This function calls source.moved(indices, which) when the reader moves slider
  // number `which`. source.path(which, indices) returns the places of this slider's handle at all
  // of its values, or undefined as long as the places are not known.
  function build(root, spec, indices, source) {
    for (const [text, own] of Object.entries(spec.messages ?? {})) translated.set(text, own);
    const stage = root.querySelector(".dpteach-explorer-stage");
    const view = stage.querySelector(".dpteach-explorer-view");
    const picture = view.querySelector("img");
    const rows = stage.querySelectorAll(".dpteach-explorer-row");
    const actions = stage.querySelector(".dpteach-explorer-actions");
    const status = element("p", { className: "dpteach-explorer-status" }, { role: "status" });
    const problem = element("p", { className: "dpteach-explorer-problem" }, { role: "alert" });
    // this attribute makes JupyterLab ignore its keyboard shortcuts inside the explorer
    root.setAttribute("data-lm-suppress-shortcuts", "true");

    const parts = spec.sliders.map((slider, which) => {
      const id = `dpteach-slider-${(serial += 1)}`;
      const last = slider.texts.length - 1;
      const [label, input, output] = rows[which].children;
      Object.assign(input, { id, disabled: false });
      input.setAttribute("data-lm-suppress-shortcuts", "true");
      input.removeAttribute("aria-label"); // the id now connects the slider with its label
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

    // A click into the picture moves the slider whose handle can come nearest to the pointer. If
    // the places of a handle are not known yet, click() runs again when they are.
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

    // Shows the sliders' new values at once; the new picture may take longer.
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
      // announce the description only after the last of several quick moves of a slider
      if (speak) waiting = setTimeout(() => (status.textContent = alt), 700);
    }

    say();
    stage.append(problem, status);
    const lost = _("This picture could not be loaded.");
    picture.addEventListener("error", () => {
      problem.textContent = lost;
    });
    picture.addEventListener("load", () => {
      // a loaded picture ends only this problem, so keep any other message
      if (problem.textContent === lost) problem.textContent = "";
    });
    const menu = folded(actions);
    lecture(root, stage, menu, {
      inputs: parts.map(({ input }) => input),
      step: (which, by) => move(which, indices[which] + by),
    });
    return { show, set, click, stage, menu, status, problem, indices: () => indices };
  }

  // --- the menu below the picture -----------------------------------------------------------

  const DOTS =
    '<svg viewBox="0 0 16 16" width="16" height="16" fill="currentColor" aria-hidden="true">' +
    '<circle cx="3" cy="8" r="1.5"/><circle cx="8" cy="8" r="1.5"/><circle cx="13" cy="8" r="1.5"/></svg>';

  // Adds a small button that opens a menu; arrow keys move through the menu, and Escape closes it.
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

  // Returns the value of a slider at which its handle is nearest to the point (x, y) of the screen,
  // and the distance in pixels. `path` has the handle's place at each value, `at` is the current one.
  function nearest(view, path, at, x, y) {
    const box = view.getBoundingClientRect();
    const far = path.map((place) =>
      place ? Math.hypot(box.left + place[0] * box.width - x, box.top + place[1] * box.height - y)
        : Infinity,
    );
    const least = Math.min(...far);
    // several values may have the same place, for example at the edge of the axes; of these take
    // the value with the fewest steps from the current one
    const found = far.reduce((best, distance, k) => {
      const nearer = Math.abs(k - at) < Math.abs(best - at);
      return distance <= least + 0.5 && (best < 0 || nearer) ? k : best;
    }, -1);
    return [found, least];
  }

  // Makes a handle in the picture movable: dragging selects the slider's value at which the handle
  // is nearest to the pointer, and an arrow key selects the next value in the arrow's direction.
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
        // Returns how far the handle moves in the arrow's direction (negative: against it) if the
        // value changes in steps of +1 or -1 until the handle has moved along this direction.
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

  // Adds lecture mode, in which the explorer fills the screen and obeys the keyboard and a
  // presenter's remote control, which sends the Page keys.
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
      // hide the browser's own bars, too, if the browser allows it
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
    // in full screen the browser handles Esc itself, and the dialog gets no key event; leave
    // lecture mode together with full screen
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

  // for each file of frames, by its name: a promise of the frames, which other functions wait for
  const loaded = new Map();
  const entry = (name) => {
    if (!loaded.has(name)) {
      const one = {};
      one.ready = new Promise((resolve) => (one.resolve = resolve));
      loaded.set(name, one);
    }
    return loaded.get(name);
  };

  // Receives the pictures of an explorer; the script frames.js calls this function. To save space,
  // all pictures share the list `pieces`. `runs` says for each picture which pieces it consists of:
  // the first and last index of each run of consecutive pieces.
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

  // Loads the pictures of an explorer by a script element, because a browser that shows a page from
  // a local file refuses other requests for data.
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
    let asked = false; // whether the reader moved a slider before the pictures arrived

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
          parts.show(picture.src, picture.alt, drawn.places[frame], asked);
        } else draw(asked);
      });
    };
    const draw = (speak) => {
      const frame = at(parts.indices());
      const svg = drawn.svg(frame);
      parts.show(address(svg), words(svg), drawn.places[frame], speak);
    };
    const parts = build(root, spec, first, {
      moved(_indices, _which, speak) {
        asked ||= speak;
        bring();
        if (drawn) draw(speak);
      },
      path: (which, indices) =>
        drawn &&
        spec.sliders[which].texts.map((text, k) => drawn.places[at(indices.with(which, k))][which]),
    });
    link(root, spec, name, parts);
    // a reader whose link names a state of this explorer wants to see that state, so do not play
    if (spec.plays && at(parts.indices()) === at(first) && !location.hash.startsWith(`#${name}?`)) {
      bring();
      play(counts[0] - 1, parts, entry(spec.frames).ready);
    }

    // load the pictures when the reader is one or two screens away from the explorer
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

  // Moves the first slider once through its values, until the reader does something. It does not
  // move for readers who asked their system for reduced motion. Screen readers do not announce
  // these pictures, because the reader did not ask for them.
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
      // show the first picture for a second before the slider moves
      if (!ended.signal.aborted) timer = setTimeout(step, 1000);
    });
  }

  // Adds the menu item "Copy a link to this state", and sets the sliders to the state in the page's
  // address, if the reader came by such a link.
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
        // the browser refused access to the clipboard, so show the link for copying by hand
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
      // unfold the other sliders if the link moved any of them
      const more = parts.stage.querySelector(".dpteach-explorer-more");
      if (more && indices.some((k, i) => i && k !== spec.sliders[i].index)) more.open = true;
      const look = () => root.scrollIntoView({ block: "center" });
      look();
      // scroll again when the page is complete, because pictures above may still load and grow
      if (document.readyState !== "complete") window.addEventListener("load", look, { once: true });
    };
    window.addEventListener("hashchange", restore);
    restore();
  }

  // --- a notebook --------------------------------------------------------------------------

  // Shows an explorer in a notebook, where the kernel draws each picture (see _live.py).
  function render({ model, el }) {
    el.innerHTML = model.get("html");
    const root = el.firstElementChild;
    const spec = JSON.parse(root.querySelector("script").textContent);
    // the places of each slider's handle that the kernel has sent, by the slider's number and the
    // positions of the other sliders, on which the places depend
    const paths = new Map();
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
