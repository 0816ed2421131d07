import { faultLines } from '../config/fault-lines.ts';
import { load, type Loaded } from '../config/load.ts';
import { settingsOf, type Shown } from '../config/shown.ts';
import { exitCodes } from './exit-codes.ts';
import type { Arguments } from './options.ts';
import { print } from './print.ts';
import { lookOf, paint, type Look } from './text.ts';
import { Complaints } from './usage-error.ts';

/**
 * Shows what counts for a service, or for each in the file, and where each value comes from.
 * `--check` only tells what is wrong, with any service.
 */
export async function configCommand({ flags, values, ...args }: Arguments): Promise<number> {
  const services = loadAll(values.get('file'), values.get('service'), flags.has('check'));
  const faults = faultLines(services.flatMap((one) => one.faults));
  const complaints = new Complaints(args.faults);
  if (complaints.count > 0) complaints.files.push(...faults);
  complaints.throwIfAny();
  if (faults.length > 0) {
    process.stderr.write([...faults, ''].join('\n'));
    return exitCodes.notMet;
  }
  const look = lookOf(process.stdout, process.env);
  const text = flags.has('check')
    ? approval(services)
    : services.map((one) => page(one, look)).join('\n');
  await print(text);
  return exitCodes.met;
}

/** The environment is that of one service: it counts for the one that is named, or for an only one. */
function loadAll(path: string | undefined, named: string | undefined, all: boolean): Loaded[] {
  const first = load({}, { file: path, service: named });
  const names = first.file?.services ?? [];
  const chosen = first.service ?? named;
  const file = first.file?.path ?? path;
  const withoutEnv = (service: string): Loaded => load({}, { file, service, env: {} });
  if (chosen === undefined && names.length > 1) return names.map(withoutEnv);
  return all ? [first, ...names.filter((name) => name !== chosen).map(withoutEnv)] : [first];
}

function approval([first]: readonly Loaded[]): string {
  const { file } = first as Loaded;
  const services = file && file.services.length > 0 ? `: ${file.services.join(', ')}` : '';
  return `${file?.name ?? 'the environment'} is in order${services}\n`;
}

function page(loaded: Loaded, look: Look): string {
  const rows = settingsOf(loaded.layer);
  const [path, value] = [widest(rows, 'path'), widest(rows, 'value')];
  const lines = rows.map((row) => {
    const origin = row.given ? row.origin : paint(look, 'dim', row.origin);
    return `${row.path.padEnd(path)}  ${row.value.padStart(value)}  ${origin}`;
  });
  return [paint(look, 'bold', heading(loaded)), ...lines, ''].join('\n');
}

function heading({ service, file }: Loaded): string {
  const of = service === undefined ? 'all services' : `service ${service}`;
  return `${of}, ${file ? file.name : 'no configuration file'}`;
}

const widest = (rows: readonly Shown[], column: 'path' | 'value'): number =>
  Math.max(...rows.map((row) => row[column].length));
