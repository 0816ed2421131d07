import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder with files in it, which is gone after the test. */
export class Folder {
  readonly path: string = realpathSync(mkdtempSync(join(tmpdir(), 'wt-')));

  write(name: string, content: string): this {
    const file = join(this.path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return this;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export const folder = (files: Readonly<Record<string, string>> = {}): Folder =>
  Object.entries(files).reduce((made, [name, content]) => made.write(name, content), new Folder());
