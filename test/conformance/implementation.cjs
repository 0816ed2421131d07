// A class with pg-pool's own constructor, `(options, Client)`, around what is under test.
const { Pool, PartitionPool } = require('../../dist/cjs/drivers/pg/index.js');

/** The password may be hidden from enumeration. */
function withClient(options, Client) {
  const all = Object.getOwnPropertyDescriptors(options ?? {});
  if (Client) all.Client = { value: Client, enumerable: true };
  return Object.defineProperties({}, all);
}

class RootPool extends Pool {
  constructor(options, Client) {
    super(withClient(options, Client));
  }
}

/** The only partition of a pool, so that the physical pool ends with it. */
function PartitionOnly(options, Client) {
  const size = options?.max ?? options?.poolSize ?? 10;
  const given = withClient(options, Client);
  given.max = size;
  given.partitions = { order: { size, maxWaiting: Infinity } };
  const partition = new Pool(given).partition('order');
  return Object.setPrototypeOf(partition, new.target.prototype);
}
PartitionOnly.prototype = Object.create(PartitionPool.prototype);

const subjects = { stock: require('pg-pool'), pool: RootPool, partition: PartitionOnly };
module.exports = subjects[process.env.CONFORMANCE_SUBJECT];
