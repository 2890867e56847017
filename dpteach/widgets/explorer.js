// The sliders of an explorer, for a built page (mount) and for a notebook (render).
const dpteachExplorer = (() => {
  "use strict";
  let serial = 0;

  function element(name, properties, attributes) {
    const node = Object.assign(document.createElement(name), properties);
    for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
    return node;
  }

  // Puts the sliders before the picture. moved(indices, which) is called when the reader moves
  // slider number `which`; the function returned shows a picture and says what it shows.
  function build(root, spec, indices, moved) {
    const picture =
      root.querySelector("img") ||
      root.appendChild(element("img", { className: "dpteach-explorer-picture" }));
    const controls = element("div", { className: "dpteach-explorer-controls" });
    const status = element("p", { className: "dpteach-explorer-status" }, { role: "status" });
    const problem = element("p", { className: "dpteach-explorer-problem" }, { role: "alert" });
    spec.sliders.forEach((slider, which) => {
      const id = `dpteach-slider-${(serial += 1)}`;
      const input = element(
        "input",
        { type: "range", id },
        // JupyterLab leaves the keys to this element
        { min: 0, max: slider.texts.length - 1, step: 1, "data-lm-suppress-shortcuts": "true" },
      );
      const output = element("output", { htmlFor: id }, { "aria-live": "off" });
      input.value = indices[which];
      const say = () => {
        output.value = slider.texts[input.valueAsNumber];
        input.setAttribute("aria-valuetext", output.value);
      };
      input.addEventListener("input", () => {
        indices = indices.map((k, i) => (i === which ? input.valueAsNumber : k));
        say();
        moved(indices, which);
      });
      say();
      const row = controls.appendChild(element("div", { className: "dpteach-explorer-row" }));
      row.append(element("label", { htmlFor: id, textContent: slider.label }), input, output);
    });
    root.insertBefore(controls, picture);
    root.append(problem, status);
    picture.addEventListener("error", () => {
      problem.textContent = "This picture could not be loaded.";
    });
    picture.addEventListener("load", () => {
      problem.textContent = "";
    });

    let waiting;
    return (source, alt, speak) => {
      picture.src = source;
      picture.alt = alt;
      clearTimeout(waiting);
      // said once, when the slider rests
      if (speak) waiting = setTimeout(() => (status.textContent = alt), 700);
    };
  }

  // A built page: the pictures are files beside the first one, numbered in the sliders' order.
  function mount(root) {
    const spec = JSON.parse(root.querySelector("script").textContent);
    const folder = root.querySelector("img").src.replace(/[^/]*$/, "");
    const counts = spec.sliders.map((slider) => slider.texts.length);
    const at = (indices) => indices.reduce((sum, k, i) => sum * counts[i] + k, 0);
    const file = (frame) => `${folder}${String(frame).padStart(3, "0")}.svg`;

    const kept = new Map();
    const preload = (indices) => {
      const frame = at(indices);
      if (kept.has(frame)) return;
      const image = new Image();
      image.src = file(frame);
      kept.set(frame, image);
    };
    // the steps that a key can make next, the nearest first
    const steps = (indices, which, reach) => {
      const near = [];
      for (let distance = 1; distance <= reach; distance += 1) {
        for (const k of [indices[which] + distance, indices[which] - distance]) {
          if (k >= 0 && k < counts[which]) near.push(indices.map((j, i) => (i === which ? k : j)));
        }
      }
      return near;
    };
    const ahead = (indices, which) => {
      counts.forEach((_, i) => steps(indices, i, 1).forEach(preload));
      if (which !== undefined) steps(indices, which, counts[which]).forEach(preload);
    };

    const first = spec.sliders.map((slider) => slider.index);
    const show = build(root, spec, first, (indices, which) => {
      show(file(at(indices)), spec.alts[at(indices)], true);
      ahead(indices, which);
    });
    root.querySelectorAll("input").forEach((input, which) => {
      const indices = () => [...root.querySelectorAll("input")].map((each) => each.valueAsNumber);
      for (const event of ["focus", "pointerenter"]) {
        input.addEventListener(event, () => ahead(indices(), which));
      }
    });
  }

  // A notebook: the kernel draws.
  function render({ model, el }) {
    el.classList.add("dpteach-explorer");
    const source = () =>
      `data:image/svg+xml;charset=utf-8,${encodeURIComponent(model.get("picture"))}`;
    const show = build(el, model.get("spec"), model.get("indices"), (indices) => {
      model.set("indices", indices);
      model.save_changes();
    });
    const update = () => show(source(), model.get("alt"), true);
    const complain = () => {
      el.querySelector(".dpteach-explorer-problem").textContent = model.get("problem");
    };
    show(source(), model.get("alt"), false);
    model.on("change:picture", update);
    model.on("change:problem", complain);
    return () => {
      model.off("change:picture", update);
      model.off("change:problem", complain);
    };
  }

  return { mount, render };
})();

document.querySelectorAll("[data-dpteach-explorer]").forEach(dpteachExplorer.mount);
