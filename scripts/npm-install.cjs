// A template: the build puts the names of a driver in.
try {
  module.exports = require('SPECIFIER');
} catch (error) {
  const missing = error.code === 'MODULE_NOT_FOUND' && error.message.includes("module 'SPECIFIER'");
  if (!missing) throw error;
  const message =
    "watertight/DRIVER needs the package 'DRIVER', which is not installed: npm install DRIVER";
  throw Object.assign(new Error(message, { cause: error }), { code: error.code });
}
