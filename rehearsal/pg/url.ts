import { parseServerUrl } from '../server-url.ts';

export const postgresUrlExample = 'postgres://user@host:5432/database';

export const parsePostgresUrl = (text: string): URL =>
  parseServerUrl(text, {
    product: 'PostgreSQL',
    example: postgresUrlExample,
    protocols: ['postgres:', 'postgresql:'],
  });

/** With the label under which the server is to show the connection; what the URL says gives way. */
export function labelUrl(text: string, label: string): string {
  const url = parsePostgresUrl(text);
  url.searchParams.set('application_name', label);
  return url.href;
}
