import { parseServerUrl } from '../server-url.ts';

export const mysqlUrlExample = 'mysql://user@host:3306/database';

export const parseMysqlUrl = (text: string): URL =>
  parseServerUrl(text, {
    product: 'MySQL',
    example: mysqlUrlExample,
    protocols: ['mysql:', 'mariadb:'],
  });

/** With the label under which the server is to show the connection; what the URL says gives way. */
export function labelUrl(text: string, label: string): string {
  const url = parseMysqlUrl(text);
  url.searchParams.set('connectAttributes', JSON.stringify({ program_name: label }));
  return url.href;
}
