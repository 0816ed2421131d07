import { cannotWrite, codeOf } from './cannot-write.ts';

/**
 * Writes to stdout. A reader that hung up (`| head`) has had what it wanted.
 * @param option that asked for it
 * @throws CannotWrite
 */
export function print(text: string, option?: string): Promise<void> {
  return new Promise((done, fail) => {
    process.stdout.write(text, (error) => {
      if (!error || codeOf(error) === 'EPIPE') done();
      else fail(cannotWrite(option, 'stdout', error));
    });
  });
}
