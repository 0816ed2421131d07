import { RehearsalError } from '../errors.ts';
import { redactUrl } from '../redact.ts';

const example = 'postgres://user@host:5432/database';

/** Checks the form of a URL only; whether a server is there is for the witness to find out. */
export function parsePostgresUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    // What cannot be parsed cannot be redacted either: it is not repeated.
    throw new RehearsalError('ERR_REHEARSAL_OPTION', `the URL cannot be read; expected ${example}`);
  }
  if (!['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw new RehearsalError(
      'ERR_REHEARSAL_OPTION',
      `${redactUrl(text)} is not the URL of a PostgreSQL server; expected ${example}`,
    );
  }
  return url;
}

/** With the label under which the server is to show the connection; what the URL says gives way. */
export function labelUrl(text: string, label: string): string {
  const url = parsePostgresUrl(text);
  url.searchParams.set('application_name', label);
  return url.href;
}
