import type { ObjectiveResult, Rehearsal } from '../../rehearsal/index.ts';
import { runTitle } from '../reporter.ts';
import { figure, wanted } from '../../rehearsal/wording.ts';
import { cell } from './cell.ts';
import { markup, type Markup } from './markup.ts';
import type { Report } from './report.ts';
import { scrollable } from './scrollable.ts';
import { capitalized } from './words.ts';

/** What had to come out, and what did. */
export function objectives({ rehearsal }: Report): Markup {
  const table = markup`<table class="cards objectives">
<caption>${summary(rehearsal)}</caption>
<thead><tr><th scope="col">Result</th><th scope="col" class="word">Objective</th><th scope="col">Got</th><th scope="col">Wanted</th><th scope="col" class="word">Run</th></tr></thead>
<tbody>
${rehearsal.objectives.map((objective) => row(objective, rehearsal))}</tbody></table>`;
  return markup`<section aria-labelledby="objectives">
<h2 id="objectives">What had to come out</h2>
<p>With one pool for everybody the requests must starve, or the rehearsal proves nothing. With partitions they must be answered as if nobody had disturbed them. “p99 against baseline” is the time within which 99 % were answered, divided by that of the undisturbed run.</p>
${scrollable('Objectives', table)}
</section>`;
}

function summary({ objectives: all, void: isVoid }: Rehearsal): string {
  if (isVoid) return 'Void: what came out counts for nothing';
  return `${all.filter(({ met }) => met).length} of ${all.length} objectives met`;
}

function row(objective: ObjectiveResult, { disturbance, void: isVoid }: Rehearsal): Markup {
  const { name, run, got, met } = objective;
  const [style, word] = met ? ['met', '✓ met'] : ['missed', '✗ missed'];
  const result = isVoid ? cell('Result', '? void', 'word') : cell('Result', word, `word ${style}`);
  return markup`<tr>${result}<th scope="row" class="word">${capitalized(name)}</th>${cell('Got', figure(objective, got))}${cell('Wanted', wanted(objective))}${cell('Run', runTitle(run, disturbance), 'word')}</tr>
`;
}
