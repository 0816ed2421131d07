try {
  module.exports = require('pg');
} catch (error) {
  const missing = error.code === 'MODULE_NOT_FOUND' && error.message.includes("module 'pg'");
  if (!missing) throw error;
  const message = "watertight/pg needs the package 'pg', which is not installed: npm install pg";
  throw Object.assign(new Error(message, { cause: error }), { code: error.code });
}
