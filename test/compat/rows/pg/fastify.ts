import Fastify from 'fastify';
import postgres from '@fastify/postgres';
import { playFramework } from '../../support/framework.ts';
import { servePg } from '../../support/pg.ts';

playFramework('pg: fastify', servePg, {
  async start({ order: partition }) {
    const app = Fastify();
    // #region wire
    await app.register(postgres, {
      pg: partition.driver(),
    });
    // #endregion
    app.get('/names', async () => {
      const { rows } = await app.pg.query('select name from items order by id');
      return rows.map(({ name }) => name);
    });
    app.post<{ Params: { name: string } }>(
      '/names/:name',
      { pg: { transact: true } },
      async ({ params, pg }) => {
        await pg!.query('insert into items (name) values ($1)', [params.name]);
        return 'added';
      },
    );
    return { url: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() };
  },
  ends: 'partition',
});
