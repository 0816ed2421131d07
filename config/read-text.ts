import { lstatSync, readFileSync } from 'node:fs';

/**
 * The text of a file that a person named or wrote.
 * @throws an error whose message is the reason in plain words: `there is no such file`
 */
export function readText(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new Error(reasonOf(error as NodeJS.ErrnoException, path), { cause: error });
  }
  // Windows PowerShell writes it with `>`.
  const isUtf16 =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) throw new Error('it cannot be read: it is UTF-16; save it as UTF-8');
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

/** Whether something has this name, and be it a link that leads nowhere. */
export const isThere = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function reasonOf({ code, message }: NodeJS.ErrnoException, path: string): string {
  if (code === 'ENOENT' && !isThere(path)) return 'there is no such file';
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'it is a link to a file that is not there',
    ENOTDIR: 'a part of its path is no folder',
    ELOOP: 'it is a loop of symbolic links',
    EISDIR: 'it is a folder',
    EACCES: 'this user may not read it',
  };
  return `it cannot be read: ${reasons[code ?? ''] ?? withoutCode(message)}`;
}

/** `EIO: i/o error, open '/a'` without the code, and the name, which are told elsewhere. */
export const withoutCode = (message: string): string =>
  message.replace(/^E[A-Z0-9]+: (.*?), \w+( '.*')?$/s, '$1');
