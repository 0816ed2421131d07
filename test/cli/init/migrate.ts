import { loadParser } from '../../../cli/init/parser.ts';
import { applyEdits } from '../../../cli/init/edits.ts';
import { unifiedDiff } from '../../../cli/init/diff.ts';
import { planOf, type Plan } from '../../../cli/init/plan.ts';
import { encode, survey, type Survey } from '../../../cli/init/survey.ts';
import { folder } from '../../config/folder.ts';

export interface Migrated {
  readonly found: Survey;
  readonly plan: Plan;
  /** The configuration file. */
  readonly config: unknown;
  /** What the changed files become, by name. */
  readonly files: Readonly<Record<string, string>>;
  readonly diffs: Readonly<Record<string, string>>;
}

const everyDriver = '{ "dependencies": { "pg": "^8.20.0", "mysql2": "^3.11.0", "mongoose": "9" } }';

/** What `init` makes of a service of these files. */
export async function migrate(files: Readonly<Record<string, string>>): Promise<Migrated> {
  using service = folder({ 'package.json': everyDriver, ...files });
  const found = survey(service.path, await loadParser(service.path));
  const plan = planOf(found);
  const each = [...plan.edits].map(([file, edits]) => ({
    name: file.code.file,
    after: encode(applyEdits(file.code.text, edits), file),
    diff: unifiedDiff(file.code.file, file.code.text, edits),
  }));
  return {
    found,
    plan,
    config: JSON.parse(plan.config) as unknown,
    files: Object.fromEntries(each.map(({ name, after }) => [name, after])),
    diffs: Object.fromEntries(each.map(({ name, diff }) => [name, diff])),
  };
}

/** The lines of a file that change, `-` and `+`. */
export async function changesIn(name: string, text: string): Promise<string[]> {
  const { diffs } = await migrate({ [name]: text });
  return (diffs[name] ?? '').split('\n').filter((line) => /^[-+](?!--|\+\+)/.test(line));
}
