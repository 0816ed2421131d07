import { usualColumns, wrap } from './text.ts';
import { finishedLine, repeatedLine, startedLine, type Reporter } from './reporter.ts';

/** For a pipe or a log: a line when a run starts, when a phase starts, when a run is done. */
export function plainReporter(write: (text: string) => void): Reporter {
  let phase = '';
  const say = (line: string): void => write(`${wrap(line, usualColumns)}\n`);
  return {
    say,
    end: () => undefined,
    progress(progress) {
      if (progress.kind === 'run started') {
        phase = '';
        say(startedLine(progress));
      } else if (progress.kind === 'tick' && progress.phase !== phase) {
        phase = progress.phase;
        say(`    ${phase}`);
      } else if (progress.kind === 'run finished') {
        say(finishedLine(progress.run));
      } else if (progress.kind === 'run repeated') {
        say(repeatedLine(progress.lagMillis, progress.boundMillis));
      }
    },
  };
}
