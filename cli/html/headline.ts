import type { Rehearsal } from '../../rehearsal/index.ts';
import { busyNote, verdictOf, wallsExplained } from '../../rehearsal/wording.ts';
import { markup, type Content, type Markup } from './markup.ts';
import type { Report } from './report.ts';

/** The verdict, and what it is worth; what stands before its colon is read first. */
export function headline({ rehearsal }: Report): Markup {
  const sentence = verdictOf(rehearsal);
  const colon = sentence.indexOf(': ');
  const [mark, style] = markOf(rehearsal);
  return markup`<header>
<p class="kicker">Rehearsal of ${rehearsal.scenario}, on ${rehearsal.server}</p>
<h1><span class="verdict ${style}"><span aria-hidden="true">${mark}</span> ${sentence.slice(0, colon + 1)}</span> ${sentence.slice(colon + 2)}</h1>
${care(rehearsal)}${sentence.includes('walls') ? markup`<p class="about">${wallsExplained}</p>\n` : ''}</header>`;
}

function markOf({ met, void: isVoid }: Rehearsal): readonly [mark: string, style: string] {
  if (isVoid) return ['?', 'void'];
  return met ? ['✓', 'met'] : ['✗', 'missed'];
}

function care(rehearsal: Rehearsal): Content {
  const note = busyNote(rehearsal);
  return note === undefined ? '' : markup`<p class="care">${note}</p>\n`;
}
