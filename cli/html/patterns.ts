import { markup, type Content, type Markup } from './markup.ts';

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
];

/** The class that colours a texture; there are as many colours as textures. */
export const colourOf = (index: number): string => `colour-${index % textures.length}`;

const idOf = (index: number): string => `texture-${index % textures.length}`;

export const fillOf = (index: number): string => `url(#${idOf(index)})`;

/** Once on the page, before the first picture. Not `display: none`, which would take the fills away. */
export const textureDefinitions: Markup = markup`
<svg class="definitions" width="0" height="0" aria-hidden="true" focusable="false"><defs>
${textures.map(
  (texture, index) =>
    markup`<pattern id="${idOf(index)}" class="${colourOf(index)}" width="8" height="8" patternUnits="userSpaceOnUse">${texture}</pattern>\n`,
)}</defs></svg>`;

/** The key to the pictures. */
export const legend = (names: readonly string[], max: number): Markup => markup`
<ul class="legend">
${names.map((name, index) =>
  entry(
    markup`<rect class="band ${colourOf(index)}" x="1" y="1" width="26" height="12" fill="${fillOf(index)}" />`,
    name,
  ),
)}${entry(markup`<path class="limit" d="M0 7H28" />`, `all ${max} connections`)}${entry(markup`<path class="mark" d="M14 0V14" />`, 'collapse')}</ul>`;

const entry = (sign: Markup, meaning: Content): Markup => markup`
<li><svg width="28" height="14" viewBox="0 0 28 14" aria-hidden="true" focusable="false">${sign}</svg> ${meaning}</li>
`;
