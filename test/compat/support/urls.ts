/** @throws when the tests did not start this server */
export function urlFrom(variable: 'COMPAT_PG_URL' | 'COMPAT_MYSQL_URL'): string {
  const url = process.env[variable];
  if (!url) throw new Error(`${variable} is not set: run this with npm run test:compat`);
  return url;
}

/** Each row has a database of its own. */
export const databaseNameOf = (title: string): string =>
  `compat_${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`;
