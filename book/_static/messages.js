// The function that translates the messages of the book's scripts. A script begins with `const _ = bookMessage` and
// writes a message as `_("text with {name}", { name })`. In a book in another language than English, the build puts
// the translations into globalThis.bookMessages.
globalThis.bookMessage = (text, values = {}) =>
  (globalThis.bookMessages?.[text] ?? text).replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
