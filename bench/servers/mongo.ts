/** The MongoDB server of the tests, in a process of its own, with the one document that is asked for. */
import { MongoServer } from '../../test/support/mongo-server/server.ts';

const server = new MongoServer('standalone');
server.store.insert('test.items', { _id: 1, name: 'chair' });
await server.listen();
// The tests want to know everything that was asked; here it would only grow.
setInterval(() => server.log.clear(), 100);
process.send?.({ MongoDB: server.url });
process.once('disconnect', () => process.exit(0));
