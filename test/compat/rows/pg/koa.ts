import Koa from 'koa';
import { listening, playFramework } from '../../support/framework.ts';
import { servePg } from '../../support/pg.ts';

playFramework('pg: koa', servePg, {
  start({ order: partition }) {
    const app = new Koa();
    app.silent = true; // does not write errors to the console
    app.use(async (context, next) => {
      if (context.method !== 'POST') return next();
      const name = context.path.replace('/names/', '');
      await partition.query('insert into items (name) values ($1)', [name]);
      context.status = 201;
    });
    // #region wire
    app.use(async (context) => {
      const { rows } = await partition.query('select name from items order by id');
      context.body = rows.map(({ name }) => name);
    });
    // #endregion
    return listening(app.listen(0, '127.0.0.1'));
  },
  ends: 'nothing',
});
