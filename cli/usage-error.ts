/** The command was called wrongly; every fault at once. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
  }
}
