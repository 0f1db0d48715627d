// Read before require.js: modules, and the fonts beside them, are looked for from here, whatever
// folder the page lies in. The name is require.js's own.
var require = { baseUrl: document.documentElement.dataset.content_root + "_static/" };
