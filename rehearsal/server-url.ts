import { RehearsalError } from './errors.ts';
import { redactUrl } from './redact.ts';

interface UrlForm {
  readonly product: string;
  readonly example: string;
  /** As in `new URL().protocol`. */
  readonly protocols: readonly string[];
}

/**
 * Checks the form of a URL only; whether a server is there is for the witness to find out.
 * @throws `ERR_REHEARSAL_OPTION`
 */
export function parseServerUrl(text: string, { product, example, protocols }: UrlForm): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    // What cannot be parsed cannot be redacted either: it is not repeated.
    throw new RehearsalError('ERR_REHEARSAL_OPTION', `the URL cannot be read; expected ${example}`);
  }
  if (!protocols.includes(url.protocol)) {
    throw new RehearsalError(
      'ERR_REHEARSAL_OPTION',
      `${redactUrl(text)} is not the URL of a ${product} server; expected ${example}`,
    );
  }
  return url;
}
