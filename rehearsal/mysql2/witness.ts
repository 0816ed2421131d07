import mysql from 'mysql2/promise';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { tellsNoRoom } from '../failures.ts';
import { narrowest } from '../room.ts';
import type { Room, Witness } from '../subject.ts';
import { cannotConnect } from './failures.ts';
import { labelUrl } from './url.ts';

const connectTimeoutMillis = 10_000;
const ownLabel = 'watertight witness';

/** The server's own count, where it keeps what clients say of themselves. */
const countLabelSql = `select count(*) as connections
  from performance_schema.session_account_connect_attrs
  where attr_name = 'program_name' and attr_value = ?`;

/** The same of connections by their numbers, for MariaDB, which does not keep that unless told to. */
const countIdsSql = `select count(*) as connections from information_schema.processlist
  where id in (?)`;

/** A limit of 0 is none. Of other users' sessions an ordinary user sees nothing but their number. */
const roomSql = `select @@max_connections as max_connections,
  @@session.max_user_connections as user_limit,
  (select count(*) from information_schema.processlist
    where user = substring_index(current_user(), '@', 1)) as user_in_use`;

export async function openWitness(url: string): Promise<Witness> {
  let connection: Connection | undefined;
  try {
    connection = await mysql.createConnection({
      uri: labelUrl(url, ownLabel),
      connectTimeout: connectTimeoutMillis,
    });
    // A lost connection also rejects the next query; without a listener it would end the process.
    connection.on('error', () => undefined);
    const [row] = await rowsOf(connection, 'select version() as version');
    const showsLabels = await seesItself(connection);
    return new MysqlWitness(connection, productOf(String(row?.['version'])), showsLabels);
  } catch (error) {
    connection?.destroy();
    throw cannotConnect(error, url);
  }
}

/** `11.8.9-MariaDB-deb13u1`, `9.7.4-2` */
function productOf(version: string): string {
  const [digits = ''] = /^[\d.]+/.exec(version) ?? [];
  return `${/mariadb/i.test(version) ? 'MariaDB' : 'MySQL'} ${digits}`;
}

async function seesItself(connection: Connection): Promise<boolean> {
  try {
    return (await countOf(connection, countLabelSql, [ownLabel])) > 0;
  } catch {
    // No performance schema, or no right to read it.
    return false;
  }
}

async function rowsOf(
  connection: Connection,
  sql: string,
  values: unknown[] = [],
): Promise<RowDataPacket[]> {
  const [rows] = await connection.query<RowDataPacket[]>(sql, values);
  return rows;
}

async function countOf(connection: Connection, sql: string, values: unknown[]): Promise<number> {
  const [row] = await rowsOf(connection, sql, values);
  return Number(row?.['connections']);
}

class MysqlWitness implements Witness {
  readonly server: string;
  readonly #connection: Connection;
  readonly #showsLabels: boolean;

  constructor(connection: Connection, server: string, showsLabels: boolean) {
    this.#connection = connection;
    this.server = server;
    this.#showsLabels = showsLabels;
  }

  async room(): Promise<Room> {
    try {
      const [limits] = await rowsOf(this.#connection, roomSql);
      const [status] = await rowsOf(
        this.#connection,
        `show global status like 'Threads_connected'`,
      );
      return roomOf({ ...limits, in_use: status?.['Value'] });
    } catch (error) {
      throw tellsNoRoom(error);
    }
  }

  async countConnections(label: string, ids: ReadonlySet<number> = new Set()): Promise<number> {
    if (this.#showsLabels) return countOf(this.#connection, countLabelSql, [label]);
    return ids.size === 0 ? 0 : countOf(this.#connection, countIdsSql, [[...ids]]);
  }

  close(): Promise<void> {
    return this.#connection.end();
  }
}

/** The narrower of two limits, less what is taken of it; the witness itself takes one as well. */
export function roomOf(row: Readonly<Record<string, unknown>>): Room {
  const of = (name: string): number => Number(row[name]);
  const inUse = of('in_use') - 1;
  const userInUse = of('user_in_use') - 1;
  return narrowest([
    {
      free: of('max_connections') - inUse - 1,
      because: `max_connections = ${of('max_connections')} - ${inUse} in use`,
    },
    {
      free: of('user_limit') === 0 ? Infinity : of('user_limit') - userInUse - 1,
      because: `max_user_connections = ${of('user_limit')} - ${userInUse} in use`,
    },
  ]);
}
