export default async function teardown(): Promise<void> {
  for (const stop of globalThis.stopTestServers ?? []) await stop();
}
