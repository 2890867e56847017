// Removes from a style sheet, by PurgeCSS, the rules that no page and no script can use (for dpteach_face.py).
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const [modules, sheet, ...content] = process.argv.slice(2);
const { PurgeCSS } = createRequire(`${modules}/`)("purgecss");

// keep custom properties (--name) that occur only in the style of an element or in a script
const variables = content.flatMap((file) => readFileSync(file, "utf8").match(/--[\w-]+/g) ?? []);
const [purged] = await new PurgeCSS().purge({
  content,
  css: [sheet],
  keyframes: true,
  variables: true,
  // keep a rule whose selector is only a pseudo-class, such as :focus-visible, because it may match any element
  safelist: { standard: [/^:/], variables: [...new Set(variables)] },
});
writeFileSync(sheet, purged.css.replace(/\/\*(?!!)[^]*?\*\//g, ""));
