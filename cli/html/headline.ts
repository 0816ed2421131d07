import { verdict } from '../verdict.ts';
import { markup, type Markup } from './markup.ts';
import type { Report } from './report.ts';

const oneLine = { colour: false, columns: Infinity };

/** The verdict; what stands before its colon is read first. */
export function headline({ rehearsal }: Report): Markup {
  const sentence = verdict(rehearsal, oneLine);
  const colon = sentence.indexOf(': ');
  const mark = rehearsal.met ? '✓' : '✗';
  return markup`<header>
<p class="kicker">Rehearsal of ${rehearsal.scenario}, on ${rehearsal.server}</p>
<h1><span class="verdict ${rehearsal.met ? 'met' : 'missed'}"><span aria-hidden="true">${mark}</span> ${sentence.slice(0, colon + 1)}</span> ${sentence.slice(colon + 2)}</h1>
</header>`;
}
