import { RehearsalError } from '../errors.ts';
import { redactUrl } from '../redact.ts';

export const mongoUrlExample = 'mongodb://user@host:27017/database';

/** A URL of MongoDB may have several hosts, which `URL` does not understand. */
const form = /^(?<place>mongodb(?:\+srv)?:\/\/[^/?#]+)(?<path>\/[^?]*)?(?:\?(?<query>.*))?$/;

export interface MongoUrl {
  /** Scheme, account and hosts. */
  readonly place: string;
  readonly path: string;
  readonly options: URLSearchParams;
}

/** Checks the form of a URL only; whether a server is there is for the witness to find out. */
export function parseMongoUrl(text: string): MongoUrl {
  const { place, path = '/', query = '' } = form.exec(text)?.groups ?? {};
  if (place !== undefined) return { place, path, options: new URLSearchParams(query) };
  throw new RehearsalError(
    'ERR_REHEARSAL_OPTION',
    `${redactUrl(text)} is not the URL of a MongoDB server; expected ${mongoUrlExample}`,
  );
}

export const printMongoUrl = ({ place, path, options }: MongoUrl): string =>
  `${place}${path}?${options.toString()}`;

/**
 * With the label under which the connections are counted; what the URL says gives way. The driver
 * is to tell of each command, which is how an operation is known to have its connection.
 */
export function labelUrl(text: string, label: string): string {
  const url = parseMongoUrl(text);
  for (const name of [...url.options.keys()]) {
    if (name.toLowerCase() === 'appname') url.options.delete(name);
  }
  url.options.set('appName', label);
  url.options.set('monitorCommands', 'true');
  return printMongoUrl(url);
}
