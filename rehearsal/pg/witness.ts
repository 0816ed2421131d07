import pg from 'pg';
import { tellsNoRoom } from '../failures.ts';
import { narrowest } from '../room.ts';
import type { Room, Witness } from '../subject.ts';
import { cannotConnect } from './failures.ts';
import { labelUrl } from './url.ts';

// oxlint-disable-next-line import/no-named-as-default-member -- before 8.15 an ES module finds no named exports
const { Client } = pg;

const connectTimeoutMillis = 10_000;

/**
 * The server's own count. Processes that serve no client (autovacuum, replication) are left out,
 * and so is the witness, which has a label of its own.
 */
const countSql = `select count(*)::int as connections from pg_stat_activity
  where application_name = $1 and backend_type = 'client backend'`;

/**
 * What stands in the way of more connections. Of other users' sessions an ordinary user sees no
 * type: those that have a database are clients.
 */
const roomSql = `select
  current_setting('max_connections')::int as max_connections,
  case when r.rolsuper then 0 else current_setting('superuser_reserved_connections')::int
    + coalesce(current_setting('reserved_connections', true), '0')::int end as reserved,
  (select count(*)::int from pg_stat_activity where pid <> pg_backend_pid()
    and (backend_type = 'client backend' or backend_type is null and datid is not null)) as in_use,
  r.rolconnlimit as user_limit,
  (select count(*)::int from pg_stat_activity
    where usename = current_user and pid <> pg_backend_pid()) as user_in_use,
  d.datconnlimit as database_limit,
  (select count(*)::int from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()) as database_in_use
  from pg_roles r, pg_database d
  where r.rolname = current_user and d.datname = current_database()`;

interface RoomRow {
  readonly max_connections: number;
  readonly reserved: number;
  readonly in_use: number;
  readonly user_limit: number;
  readonly user_in_use: number;
  readonly database_limit: number;
  readonly database_in_use: number;
}

export async function openWitness(url: string): Promise<Witness> {
  const client = new Client({
    connectionString: labelUrl(url, 'watertight witness'),
    connectionTimeoutMillis: connectTimeoutMillis,
  });
  // A lost connection also rejects the next query; without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return new PgWitness(client, `PostgreSQL ${rows[0]?.server_version.split(' ')[0] ?? ''}`);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw cannotConnect(error, url);
  }
}

class PgWitness implements Witness {
  readonly server: string;
  readonly #client: pg.Client;

  constructor(client: pg.Client, server: string) {
    this.#client = client;
    this.server = server;
  }

  async room(): Promise<Room> {
    try {
      const { rows } = await this.#client.query<RoomRow>(roomSql);
      if (rows[0] === undefined) throw new Error('no row');
      return roomOf(rows[0]);
    } catch (error) {
      throw tellsNoRoom(error);
    }
  }

  async countConnections(label: string): Promise<number> {
    const { rows } = await this.#client.query<{ connections: number }>(countSql, [label]);
    return rows[0]?.connections ?? 0;
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}

/** The narrowest of three limits, less what is taken of it; the witness itself takes one as well. */
function roomOf(row: RoomRow): Room {
  const reserved = row.reserved === 0 ? '' : ` - ${row.reserved} reserved for superusers`;
  return narrowest([
    {
      free: row.max_connections - row.reserved - row.in_use - 1,
      because: `max_connections = ${row.max_connections}${reserved} - ${row.in_use} in use`,
    },
    {
      free: row.user_limit < 0 ? Infinity : row.user_limit - row.user_in_use - 1,
      because: `connection limit of the user = ${row.user_limit} - ${row.user_in_use} in use`,
    },
    {
      free: row.database_limit < 0 ? Infinity : row.database_limit - row.database_in_use - 1,
      because: `connection limit of the database = ${row.database_limit} - ${row.database_in_use} in use`,
    },
  ]);
}
