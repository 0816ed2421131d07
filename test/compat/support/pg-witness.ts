import pg from 'pg';
import { urlFrom } from './urls.ts';

/** Counts the connections of an application, as the server has them. */
export async function countConnections(application: string): Promise<number> {
  const client = new pg.Client({ connectionString: urlFrom('COMPAT_PG_URL') });
  await client.connect();
  const { rows } = await client.query(
    'select count(*)::int as count from pg_stat_activity where application_name = $1',
    [application],
  );
  await client.end();
  return rows[0].count;
}
