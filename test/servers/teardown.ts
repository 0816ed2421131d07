import { servers } from './state.ts';

/** Stops the servers, and says last of all which tests had none. */
export default async function teardown(): Promise<void> {
  const all = [...servers];
  servers.clear();
  for (const [name, server] of all) {
    if ('skipped' in server) console.log(`Skipped: the tests of ${name}: ${server.skipped}`);
    else {
      console.log(`Server:  ${name} from ${server.from}`);
      await server.stop();
    }
  }
}
