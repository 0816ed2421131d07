import net from 'node:net';
import { afterEach } from '@jest/globals';
import { url } from './pg.ts';

/** Between client and server: can delay, swallow and cut connections. */
export interface Proxy {
  readonly port: number;
  /** Milliseconds before a new connection is passed on. */
  delayMillis: number;
  /** Accepts connections and never answers. */
  silent: boolean;
  /** Connections accepted so far. */
  accepted: number;
  /** Cuts everything that is open. */
  cut(): void;
  /** Passes nothing on any more in the connections that are open, as a network does that is gone. */
  freeze(): void;
}

const proxies = new Set<() => Promise<void>>();

function postgres(): net.NetConnectOpts {
  const { hostname, port, searchParams } = new URL(url());
  const folder = searchParams.get('host');
  if (folder?.startsWith('/')) return { path: `${folder}/.s.PGSQL.${port || '5432'}` };
  return { host: hostname, port: Number(port || '5432') };
}

/** @param to the server behind it; that of PostgreSQL unless given */
export async function openProxy(to: net.NetConnectOpts = postgres()): Promise<Proxy> {
  const sockets = new Set<net.Socket>();
  const keep = (socket: net.Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const server = net.createServer((client) => {
    proxy.accepted++;
    keep(client);
    if (proxy.silent) return;
    setTimeout(() => {
      if (client.destroyed) return;
      const upstream = net.connect(to);
      keep(upstream);
      client.pipe(upstream).pipe(client);
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => client.destroy());
      client.on('freeze', () => {
        client.unpipe().pause();
        upstream.unpipe().pause();
      });
    }, proxy.delayMillis);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: Proxy = {
    port: (server.address() as net.AddressInfo).port,
    delayMillis: 0,
    silent: false,
    accepted: 0,
    cut: () => sockets.forEach((socket) => socket.destroy()),
    freeze: () => sockets.forEach((socket) => socket.emit('freeze')),
  };
  proxies.add(async () => {
    proxy.cut();
    await new Promise((resolve) => server.close(resolve));
  });
  return proxy;
}

afterEach(async () => {
  const all = [...proxies];
  proxies.clear();
  await Promise.all(all.map((close) => close()));
});

/** Connection options that go through the proxy; as another user if one is given. */
export function through(
  proxy: Proxy,
  user?: { readonly name: string; readonly password: string },
): { connectionString: string } {
  const { username, password, pathname, searchParams } = new URL(url());
  const name = user?.name ?? searchParams.get('user') ?? (username || 'postgres');
  const secret = user?.password ?? password;
  const account = secret === '' ? name : `${name}:${secret}`;
  return {
    connectionString: `postgres://${account}@127.0.0.1:${proxy.port}${pathname === '/' ? '/postgres' : pathname}`,
  };
}
