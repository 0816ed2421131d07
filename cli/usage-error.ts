/** The command was called wrongly; every fault at once. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
  /** Whether the words of the command line have a part in it, and not only files that they name. */
  readonly ofCommandLine: boolean;

  constructor({ commandLine, files }: Complaints) {
    super([...new Set([...commandLine, ...files])].join('\n'));
    this.ofCommandLine = commandLine.length > 0;
  }
}

/** Collects what is wrong with a call, so that all of it is told at once. */
export class Complaints {
  readonly commandLine: string[];
  /** Faults in the files that it names. */
  readonly files: string[] = [];

  constructor(commandLine: readonly string[] = []) {
    this.commandLine = [...commandLine];
  }

  get count(): number {
    return this.commandLine.length + this.files.length;
  }

  /** @throws UsageError */
  throwIfAny(): void {
    if (this.count > 0) throw new UsageError(this);
  }
}
