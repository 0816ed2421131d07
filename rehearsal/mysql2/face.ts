import { mysqlImage, mysqlRecipe } from '../containers/mysql.ts';
import { startOwnServer } from '../containers/own-server.ts';
import type { DriverFace } from '../subject.ts';
import { mysqlUrlExample, parseMysqlUrl } from './url.ts';

const spareConnections = 10;

export const mysql2Face: DriverFace = {
  product: 'MySQL',
  exampleUrl: mysqlUrlExample,
  checkUrl: (url) => void parseMysqlUrl(url),
  adapt: (scenario) => scenario,
  load: async () => (await import('./index.ts')).mysql2Rehearsal,
  ownServer: 'MySQL in a container',
  startServer: ({ connections, signal }) =>
    startOwnServer(
      {
        image: mysqlImage(),
        recipe: mysqlRecipe('MYSQL', connections + spareConnections),
        ...(signal && { signal }),
      },
      mysqlUrlExample,
    ),
};
