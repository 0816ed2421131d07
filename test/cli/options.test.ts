import { describe, expect, test } from '@jest/globals';
import { parseArguments } from '../../cli/options.ts';
import { readSettings } from '../../cli/settings.ts';
import { Complaints } from '../../cli/usage-error.ts';

const words = (line: string): string[] => line.split(' ').filter(Boolean);

/** What is said of a call of `rehearse` before anything is looked at outside. */
function saidOf(line: string): string[] {
  const args = parseArguments(words(`rehearse ${line}`));
  const complaints = new Complaints(args.faults);
  readSettings(args, complaints, {});
  return [...complaints.commandLine, ...complaints.files];
}

describe('every fault of a call is told at once', () => {
  test.each<[string, string[]]>([
    [
      '--nonsense --seed x --time-scale -1',
      ['unknown option --nonsense', '--time-scale: expected', '--seed: expected'],
    ],
    ['--check --max 0', ['--check is', '--max: expected']],
    ['--json --max 0', ['--json needs', '--max: expected']],
    ['--json -x --max 0', ['--json needs', 'unknown option -x', '--max: expected']],
    ['--max 2 --max 0', ['--max is', '--max: expected']],
    ['outage --seed x --seed 1', ['--seed is', "there is no scenario 'outage'; there are"]],
    ['--driver mysql --max 0 --url x', ['--max: expected', '--driver: expected']],
    ['--url localhost --seed x', ['--seed: expected', '--url: the URL cannot be read; expected']],
    [
      'leaky-client --driver mongoose --seed x',
      ['--seed: expected', 'batch has leak, which mongoose cannot play'],
    ],
    [
      'no.json --nonsense=1 --max 0',
      ['unknown option --nonsense', '--max: expected', 'no.json: there'],
    ],
    ['-max 0 --seed x', ['unknown option -max; did you mean --max?', '--seed: expected']],
    ['--max= --seed x', ['--max needs', '--seed: expected']],
    ['--config --file no.json --seed x', ['--seed: expected', 'no.json: there']],
  ])('%s', (line, wanted) => {
    expect(saidOf(line)).toEqual(wanted.map((part) => expect.stringContaining(part)));
  });

  test('and none that only may be one: the word after an unknown option may be its value', () => {
    expect(parseArguments(words('rehearse --scale 0.1 --max 4'))).toMatchObject({
      faults: [expect.stringContaining('unknown option --scale')],
      operands: [],
    });
    expect(parseArguments(words('--verbose rehearse outage')).command).toBe('rehearse');
  });
});

test.each(['help', 'help rehearse', 'rehearse --help', 'help --help'])(
  '%s asks for help',
  (line) => {
    const { command, flags, faults } = parseArguments(words(line));
    expect([command === 'help' || flags.has('help'), faults]).toEqual([true, []]);
  },
);

test.each([
  ['help rehears', "unknown command 'rehears'; did you mean rehearse?"],
  ['hlep', "unknown command 'hlep'; did you mean help?"],
  ['frobnicate', "unknown command 'frobnicate'; there are rehearse, scenarios, config,"],
  ['', 'no command given; there are rehearse, scenarios, config,'],
])('%s does not: %s', (line, wanted) => {
  expect(parseArguments(words(line)).faults).toEqual([expect.stringContaining(wanted)]);
});
