import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of 64 KiB. */
export class SmallDisk {
  readonly folder: string;

  /** @throws where mounting is not allowed */
  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder);
    try {
      mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder);
    } catch (error) {
      rmSync(folder, { recursive: true });
      throw error;
    }
  }

  /** To the last byte. */
  fill(): void {
    try {
      for (;;) appendFileSync(join(this.folder, 'filler'), Buffer.alloc(512));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }

  makeReadOnly(): void {
    mount('-o', 'remount,ro', this.folder);
  }

  remove(): void {
    execFileSync('umount', [this.folder]);
    rmSync(this.folder, { recursive: true });
  }
}

const mount = (...args: string[]): unknown => execFileSync('mount', args, { stdio: 'pipe' });

/** Why there can be no small disk here: it takes Linux, and root. */
export function whyNoSmallDisk(): string | undefined {
  try {
    new SmallDisk(join(tmpdir(), `wt-disk-${process.pid}`)).remove();
    return undefined;
  } catch (error) {
    return (error as Error).message.trim().split('\n').at(-1);
  }
}
