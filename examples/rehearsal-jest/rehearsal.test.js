const { Pool } = require('watertight/pg');
const { monthEnd, rehearsalMatchers, rehearse } = require('watertight/rehearsal');

expect.extend(rehearsalMatchers);

test('the month-end reports take no connection from orders and searches', async () => {
  const result = await rehearse(monthEnd, {
    url: process.env.DATABASE_URL, // without one, on an embedded PostgreSQL
    // Your own factory. Its pool is to connect with this url.
    createPool: ({ url, max }) =>
      new Pool({ connectionString: url, max, partitions: { order: 8, search: 8, batch: 4 } }),
  });
  expect(result.partition('order')).toMeetObjectives();
  expect(result).toMeetObjectives();
  // A minute, and up to three on a busy machine; also enough for a timeScale of 0.25.
}, 600_000);
