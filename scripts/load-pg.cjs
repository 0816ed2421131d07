// Finds `pg`, or says in one clear message that it is missing. An ES module cannot: its imports fail
// before any of its code runs. Nor may this throw: Node 20 ends the process when a CommonJS module
// below an ES module throws, even if the import is caught.
try {
  exports.pg = require('pg');
} catch (error) {
  const missing = error.code === 'MODULE_NOT_FOUND' && error.message.includes("module 'pg'");
  const message = "watertight/pg needs the package 'pg', which is not installed: npm install pg";
  exports.error = missing
    ? Object.assign(new Error(message, { cause: error }), { code: error.code })
    : error;
}
