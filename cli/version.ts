import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** From the package.json of watertight, which stands somewhere above the program that runs. */
export function version(program: string | undefined = process.argv[1]): string {
  if (program === undefined) return 'unknown';
  for (
    let folder = dirname(realpathSync(program));
    folder !== dirname(folder);
    folder = dirname(folder)
  ) {
    const found = versionIn(join(folder, 'package.json'));
    if (found !== undefined) return found;
  }
  return 'unknown';
}

function versionIn(file: string): string | undefined {
  try {
    const content = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown; version?: unknown };
    return content.name === 'watertight' ? String(content.version) : undefined;
  } catch {
    return undefined;
  }
}
