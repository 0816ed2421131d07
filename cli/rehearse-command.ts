import { drivers, loadDriver } from '../rehearsal/drivers.ts';
import { checkRehearsal, isRehearsalError, rehearse } from '../rehearsal/index.ts';
import type { Rehearsal, RehearseOptions } from '../rehearsal/index.ts';
import { randomSeed } from '../rehearsal/random.ts';
import type { TemporaryServer } from '../rehearsal/temporary-server.ts';
import { optionError } from '../rehearsal/option-error.ts';
import { Faults, resolveInto } from '../src/config.ts';
import { faultLine, isConfigError } from '../src/errors.ts';
import { CannotWrite } from './cannot-write.ts';
import { document } from './document.ts';
import { exitCodes } from './exit-codes.ts';
import { introduction, report } from './final-report.ts';
import { page } from './html/page.ts';
import { Interrupted, Interrupts } from './interrupts.ts';
import { junitError, junitReport } from './junit.ts';
import { liveReporter } from './live-reporter.ts';
import { plainReporter } from './plain-reporter.ts';
import type { Reporter } from './reporter.ts';
import type { Arguments } from './options.ts';
import { print } from './print.ts';
import { readSettings, type RehearseSettings } from './settings.ts';
import { isLive, lookOf } from './text.ts';
import { Complaints } from './usage-error.ts';
import { version } from './version.ts';
import { faultsOfFiles, writeAll, writeWhole } from './write-file.ts';

export async function rehearseCommand(args: Arguments): Promise<number> {
  const complaints = new Complaints(args.faults);
  const settings = readSettings(args, complaints);
  if (complaints.count > 0) complaints.commandLine.push(...(await faultsBeforehand(settings)));
  complaints.throwIfAny();
  const result = await play(settings);
  const faults = [...(await tell(result, settings)), ...(await writeReports(result, settings))];
  if (faults.length > 0) throw new CannotWrite(faults.join('\n'));
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
      if (!String(error).includes(fault.message)) complain(fault.message);
    });
    throw error;
  }
}

async function checkAndPlay(settings: RehearseSettings): Promise<Rehearsal> {
  const faults = await faultsBeforehand(settings);
  if (faults.length > 0) throw optionError(faults);
  const { timeScale, scenario, max, partitions, seed = randomSeed() } = settings;
  const driver = await loadDriver(settings.driver);
  return withInterrupts(settings, { driver, scenario, timeScale, max, partitions, seed });
}

/** What can be known to be wrong with the sizes and the files before a server is started or connected. */
const faultsBeforehand = async (settings: RehearseSettings): Promise<string[]> => [
  ...(await faultsOfSizes(settings)),
  ...(await faultsOfFiles(settings)),
];

async function faultsOfSizes(settings: RehearseSettings): Promise<string[]> {
  const { driver: name, url = drivers[name].exampleUrl, seed = 0, ...options } = settings;
  try {
    await checkRehearsal({ ...options, seed, driver: await loadDriver(name), url });
  } catch (error) {
    if (isConfigError(error)) return error.faults.map(faultLine);
    if (!isRehearsalError(error)) throw error;
    // That the driver is not installed is told by who needs it next.
    if (error.code !== 'ERR_REHEARSAL_OPTION') return [];
    const faults = new Faults();
    resolveInto(faults, { max: settings.max, partitions: settings.partitions });
    return [error.message, ...faults.list.map(faultLine)];
  }
  return [];
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

/** Before anything is written, which may fail. What stdout does not take is on stderr. */
async function tell(rehearsal: Rehearsal, { json, scenario }: RehearseSettings): Promise<string[]> {
  const told = { rehearsal, scenario };
  const onStderr = (): boolean =>
    process.stderr.write(report(told, lookOf(process.stderr, process.env)));
  if (json === '-') {
    onStderr();
    return [];
  }
  try {
    await print(report(told, lookOf(process.stdout, process.env)));
    return [];
  } catch (error) {
    if (!(error instanceof CannotWrite)) throw error;
    onStderr();
    return [error.message];
  }
}

function writeReports(result: Rehearsal, settings: RehearseSettings): Promise<string[]> {
  const contents = {
    json: () => document(result),
    junit: () => junitReport(result),
    html: () => pageOf(result, settings),
  };
  return writeAll(settings, contents, sayWritten);
}

const sayWritten = (file: string): void => void process.stderr.write(`wrote ${file}\n`);
const complain = (fault: string): void => void process.stderr.write(`watertight: ${fault}\n`);

function pageOf(rehearsal: Rehearsal, { scenario, partitions }: RehearseSettings): string {
  return page({ rehearsal, scenario, partitions, version: version(), date: new Date() });
}
