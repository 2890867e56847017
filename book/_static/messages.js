// The messages of the book's scripts: `const _ = bookMessage` and `_("text with {name}", { name })`. A build in
// another language than English puts the translations into globalThis.bookMessages.
globalThis.bookMessage = (text, values = {}) =>
  (globalThis.bookMessages?.[text] ?? text).replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
