// Puts our pool in the place of pg-pool: for its own suite, whose tests require the folder above
// them, and for pg's tests, which require `pg-pool` by name. `CONFORMANCE_SUBJECT` says which of
// ours: the pool itself, one of its partitions, or the stock one as a control.
const Module = require('node:module');
const { join } = require('node:path');

const suite = process.env.CONFORMANCE_SUITE;
const implementation = join(__dirname, 'implementation.cjs');
const resolve = Module._resolveFilename;

Module._resolveFilename = function (request, parent, ...rest) {
  const found = resolve.call(this, request, parent, ...rest);
  const from = parent?.filename ?? '';
  const fromTests = from.startsWith(join(suite, 'test')) && found === join(suite, 'index.js');
  const fromPg = from === join(suite, 'lib/index.js') && request === 'pg-pool';
  return fromTests || fromPg ? implementation : found;
};
