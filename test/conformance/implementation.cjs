// A class with pg-pool's own constructor, `(options, Client)`, around what is under test.
const { Pool } = require('../../dist/cjs/drivers/pg/index.js');

const withClient = (options, Client) => (Client ? { ...options, Client } : options);

class RootPool extends Pool {
  constructor(options, Client) {
    super(withClient(options, Client));
  }
}

/** The only partition of a pool, so that the physical pool ends with it. */
function PartitionOnly(options, Client) {
  const max = options?.max ?? options?.poolSize ?? 10;
  const pool = new Pool({ ...withClient(options, Client), max, partitions: { order: max } });
  return pool.partition('order');
}

const subjects = { stock: require('pg-pool'), pool: RootPool, partition: PartitionOnly };
module.exports = subjects[process.env.CONFORMANCE_SUBJECT];
