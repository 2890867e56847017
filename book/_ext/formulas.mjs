// Translates formulas from TeX to MathML for dpteach_formulas.py: one line of JSON in and one line out per formula.
import { createInterface } from "node:readline";
import { createRequire } from "node:module";

const [folder, macros] = process.argv.slice(2);
const temml = createRequire(`${folder}/`)("temml");

for await (const line of createInterface({ input: process.stdin })) {
  const { tex, display } = JSON.parse(line);
  let answer;
  try {
    const options = { displayMode: display, macros: JSON.parse(macros), throwOnError: true, wrap: "none" };
    answer = { mathml: temml.renderToString(tex, options) };
  } catch (error) {
    answer = { error: String(error.message || error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
