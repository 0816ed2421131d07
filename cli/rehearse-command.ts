import { drivers, loadDriver } from '../rehearsal/drivers.ts';
import { checkRehearsal, rehearse } from '../rehearsal/index.ts';
import type { Rehearsal, RehearseOptions } from '../rehearsal/index.ts';
import { randomSeed } from '../rehearsal/random.ts';
import type { TemporaryServer } from '../rehearsal/temporary-server.ts';
import { document } from './document.ts';
import { exitCodes } from './exit-codes.ts';
import { introduction, report } from './final-report.ts';
import { page } from './html/page.ts';
import { Interrupted, Interrupts } from './interrupts.ts';
import { junitError, junitReport } from './junit.ts';
import { liveReporter } from './live-reporter.ts';
import { plainReporter } from './plain-reporter.ts';
import type { Reporter } from './reporter.ts';
import type { RehearseSettings } from './settings.ts';
import { isLive, lookOf } from './text.ts';
import { version } from './version.ts';
import { checkAllWritable, writeAll, writeWhole } from './write-file.ts';

export async function rehearseCommand(settings: RehearseSettings): Promise<number> {
  const result = await play(settings);
  tell(result, settings);
  await writeAll(settings, {
    json: () => document(result),
    junit: () => junitReport(result),
    html: () => pageOf(result, settings),
  });
  if (result.void) return exitCodes.void;
  return result.met ? exitCodes.met : exitCodes.notMet;
}

/** Without a verdict the JUnit report says so; whoever was interrupted did not ask for one. */
async function play(settings: RehearseSettings): Promise<Rehearsal> {
  const { junit, scenario } = settings;
  const started = performance.now();
  try {
    return await checkAndPlay(settings);
  } catch (error) {
    if (junit === undefined || error instanceof Interrupted) throw error;
    const content = junitError(scenario.name, error, performance.now() - started);
    await writeWhole('--junit', junit, content).catch((fault: Error) => {
      if (!String(error).includes(fault.message))
        process.stderr.write(`watertight: ${fault.message}\n`);
    });
    throw error;
  }
}

/** Everything that can be known to be wrong is said before a server is started or connected. */
async function checkAndPlay(settings: RehearseSettings): Promise<Rehearsal> {
  const { timeScale, scenario, max, partitions, seed = randomSeed() } = settings;
  const face = drivers[settings.driver];
  const { url = face.exampleUrl } = settings;
  face.checkUrl(url);
  const driver = await loadDriver(settings.driver);
  const options = { driver, scenario, timeScale, max, partitions, seed };
  await checkRehearsal({ ...options, url });
  await checkAllWritable(settings);
  return withInterrupts(settings, options);
}

type Options = Omit<RehearseOptions, 'url'>;

async function withInterrupts(settings: RehearseSettings, options: Options): Promise<Rehearsal> {
  const reporter = reporterFor(settings);
  let server: TemporaryServer | undefined;
  const interrupts = new Interrupts({
    onFirst: (signal) => reporter.say(`${signal}: cleaning up; once more does not wait for it`),
    onSecond: async () => {
      reporter.end();
      await server?.stop();
    },
  });
  const { signal } = interrupts;
  try {
    for (const warning of settings.warnings) reporter.say(`warning: ${warning}`);
    if (settings.url === undefined) {
      const face = drivers[settings.driver];
      reporter.say(`starting ${face.ownServer}`);
      server = await face.startServer({ connections: settings.max + 1, signal });
    }
    const url = settings.url ?? server?.url ?? '';
    return await rehearse({
      ...options,
      url,
      signal,
      onProgress(progress) {
        if (progress.kind === 'connected') reporter.say(introduction(progress.server, settings));
        else reporter.progress(progress);
      },
    });
  } finally {
    reporter.end();
    await server?.stop();
    interrupts.stop();
  }
}

/** Progress is for people and goes to stderr, whatever stdout is used for. */
function reporterFor(rehearsed: RehearseSettings): Reporter {
  const write = (text: string): void => void process.stderr.write(text);
  if (!isLive(process.stderr, process.env)) return plainReporter(write);
  return liveReporter({ write, rehearsed, look: () => lookOf(process.stderr, process.env) });
}

/** Before anything is written, which may fail. */
function tell(rehearsal: Rehearsal, { json, scenario }: RehearseSettings): void {
  const forPeople = json === '-' ? process.stderr : process.stdout;
  forPeople.write(report({ rehearsal, scenario }, lookOf(forPeople, process.env)));
}

function pageOf(rehearsal: Rehearsal, { scenario, partitions }: RehearseSettings): string {
  return page({ rehearsal, scenario, partitions, version: version(), date: new Date() });
}
