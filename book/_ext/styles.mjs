// Style sheets for dpteach_face.py: PurgeCSS drops the rules that no page and no script can use.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const [modules, sheet, ...content] = process.argv.slice(2);
const { PurgeCSS } = createRequire(`${modules}/`)("purgecss");

// a custom property may be used by the style of an element, or by a script, alone
const variables = content.flatMap((file) => readFileSync(file, "utf8").match(/--[\w-]+/g) ?? []);
const [purged] = await new PurgeCSS().purge({
  content,
  css: [sheet],
  keyframes: true,
  variables: true,
  // a pseudo-class alone, such as :focus-visible, names nothing that could be missing
  safelist: { standard: [/^:/], variables: [...new Set(variables)] },
});
writeFileSync(sheet, purged.css.replace(/\/\*(?!!)[^]*?\*\//g, ""));
