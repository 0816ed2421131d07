import express from 'express4';
import { listening, playFramework } from '../../support/framework.ts';
import { servePg } from '../../support/pg.ts';

playFramework('pg: express 4', servePg, {
  start({ order: partition }) {
    const app = express().set('env', 'test'); // does not write errors to the console
    // #region wire
    app.get('/names', (_request, response, next) => {
      partition
        .query('select name from items order by id')
        .then(({ rows }) => response.json(rows.map(({ name }) => name)))
        .catch(next);
    });
    // #endregion
    app.post('/names/:name', ({ params }, response, next) => {
      partition
        .query('insert into items (name) values ($1)', [params.name])
        .then(() => response.sendStatus(201))
        .catch(next);
    });
    return listening(app.listen(0, '127.0.0.1'));
  },
  ends: 'nothing',
});
