import { markup, type Content, type Markup } from './markup.ts';
import { palette } from './palette.ts';

const tint = markup`<rect class="tint" width="8" height="8" />`;

/**
 * A partition is known by its texture as much as by its colour, so that the pictures can be read in
 * grey and by those who see colours differently.
 */
const textures: readonly Markup[] = [
  markup`<rect class="full" width="8" height="8" />`,
  markup`${tint}<path class="line" d="M-2 2 2-2M0 8 8 0M6 10 10 6" />`,
  markup`${tint}<circle class="full" cx="2" cy="2" r="1.4" /><circle class="full" cx="6" cy="6" r="1.4" />`,
  markup`${tint}<path class="line" d="M0 2H8M0 6H8" />`,
  tint,
  markup`${tint}<path class="full" d="M0 0H4V8H8V4H0Z" />`,
  markup`${tint}<path class="line" d="M2 0V8M6 0V8" />`,
  markup`${tint}<path class="line" d="M0 0 8 8M0 8 8 0" />`,
];

const textureOf = (index: number): number => index % textures.length;

/** When the textures come again, each comes in the colour of the next: 64 pairs are different. */
const colourIndexOf = (index: number): number =>
  (index + Math.floor(index / textures.length)) % palette.length;

/** The class that colours a texture. */
export const colourOf = (index: number): string => `colour-${colourIndexOf(index)}`;

const idOf = (index: number): string => `texture-${textureOf(index)}-${colourIndexOf(index)}`;

export const fillOf = (index: number): string => `url(#${idOf(index)})`;

/** Once on the page, before the first picture. Not `display: none`, which would take the fills away. */
export const textureDefinitions = (partitions: number): Markup => markup`
<svg class="definitions" width="0" height="0" aria-hidden="true" focusable="false"><defs>
${Array.from(
  { length: Math.min(partitions, textures.length * palette.length) },
  (_, index) =>
    markup`<pattern id="${idOf(index)}" class="${colourOf(index)}" width="8" height="8" patternUnits="userSpaceOnUse">${textures[textureOf(index)] ?? ''}</pattern>\n`,
)}</defs></svg>`;

/** The key to the pictures. */
export const legend = (names: readonly string[], max: number): Markup => markup`
<ul class="legend">
${names.map((name, index) =>
  entry(
    markup`<rect class="band ${colourOf(index)}" x="1" y="1" width="26" height="12" fill="${fillOf(index)}" />`,
    name,
  ),
)}${entry(markup`<path class="limit" d="M0 7H28" />`, `all ${max} connections`)}${entry(markup`<path class="mark" d="M14 0V14" />`, 'collapse')}</ul>
${names.length > textures.length ? markup`<p>${repeats}</p>` : ''}`;

const repeats =
  `There are ${textures.length} textures; further partitions have the same ones in other colours. ` +
  'A band without a name lies in the stack where its partition stands in the words above the picture, from the bottom up.';

const entry = (sign: Markup, meaning: Content): Markup => markup`
<li><svg width="28" height="14" viewBox="0 0 28 14" aria-hidden="true" focusable="false">${sign}</svg> ${meaning}</li>
`;
