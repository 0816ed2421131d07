import { Markup } from './markup.ts';
import { colourProperties, palette } from './palette.ts';
import { paper } from './paper.ts';

const colours = `
:root {
  color-scheme: light dark;
  --page: #fff; --panel: #f4f5f7; --ink: #1b1f24; --faint: #555d67; --line: #cfd4da;
  --met: #0b6b3a; --missed: #b3261e; --shade: #eceff2; --mark: #b3261e; --edge: rgb(0 0 0 / 0.3);
  ${colourProperties('light')}
}
@media screen and (prefers-color-scheme: dark) {
  :root {
  --page: #14171b; --panel: #1e2328; --ink: #e9ecef; --faint: #aab2bc; --line: #414951;
  --met: #74d69f; --missed: #ff9d92; --shade: #2a3139; --mark: #ff9d92; --edge: rgb(255 255 255 / 0.35);
  ${colourProperties('dark')}
  }
}`;

const text = `
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 82rem; padding: 1.5rem clamp(1rem, 4vw, 2.5rem) 2rem;
  background: var(--page); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', sans-serif; overflow-wrap: break-word;
}
p, dd, ul { max-width: 46rem; }
ul { padding-left: 1.25rem; }
h1 { margin: 0.25rem 0 1rem; max-width: 52rem; font-size: 1.2rem; font-weight: 400; line-height: 1.45; }
h1 .verdict { display: block; font-size: 2.1rem; font-weight: 700; line-height: 1.2; }
h2 { margin: 2.75rem 0 0.5rem; font-size: 1.4rem; line-height: 1.25; }
h3 { margin: 0; font-size: 1.1rem; line-height: 1.3; }
.kicker, .about, footer { color: var(--faint); }
.kicker, .about, .finding { margin: 0; }
.met { color: var(--met); }
.missed { color: var(--missed); }
td:is(.met, .missed) { font-weight: 700; }
.care { border-left: 4px solid var(--mark); padding-left: 0.75rem; }
footer { margin-top: 2.5rem; border-top: 1px solid var(--line); font-size: 0.9rem; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: 0.75rem 2rem; }
dt { color: var(--faint); font-size: 0.9rem; }
dd { margin: 0; }
summary { cursor: pointer; padding: 0.25rem 0; }
:focus-visible { outline: 3px solid var(--colour-0); outline-offset: 2px; }`;

const tables = `
/* A shadow lies at each edge beyond which there is more; what scrolls with the table covers it at the end. */
.scrollable {
  --behind: var(--page);
  overflow-x: auto; max-width: 100%; container-type: inline-size;
  background:
    linear-gradient(to right, var(--behind) 40%, transparent) 0 0 / 3rem 100% no-repeat local,
    linear-gradient(to left, var(--behind) 40%, transparent) 100% 0 / 3rem 100% no-repeat local,
    linear-gradient(to right, var(--edge), transparent) 0 0 / 1rem 100% no-repeat scroll,
    linear-gradient(to left, var(--edge), transparent) 100% 0 / 1rem 100% no-repeat scroll;
}
.runs .scrollable { --behind: var(--panel); }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
/* Read without scrolling, also where its table is wider than what is seen of it. */
caption { position: sticky; left: 0; max-width: 100cqi; padding: 0.25rem 0.75rem 0.5rem 0; text-align: left; color: var(--faint); }
th, td { padding: 0.3rem 0.7rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: bottom; }
td { white-space: nowrap; }
th:first-child, .word { text-align: left; }
thead th { font-weight: 600; }
tbody th { font-weight: 400; white-space: nowrap; }
tr.group th { padding-top: 1rem; font-weight: 700; }
.moments { font-size: 0.8rem; }
.moments tbody th { position: sticky; left: 0; background: var(--panel); }
.moments [scope='colgroup'] { text-align: left; }
.moments .first { border-left: 1px solid var(--line); }
.objectives tbody :is(th, td) { vertical-align: baseline; }
.objectives tbody th { min-width: 12rem; white-space: normal; }
/* Where there is no room for columns each row is a card, whose figures bear the titles of their columns. */
@media screen {
  @container (width < 64rem) {
    .cards :is(th, td) { min-width: 0; padding: 0; border: 0; white-space: normal; }
    .cards, .cards :is(caption, tbody) { display: block; }
    .cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    .cards tr { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 0.15rem 1rem; padding: 0.6rem 0; border-bottom: 1px solid var(--line); }
    .cards tbody th { grid-column: 1 / -1; order: -1; font-weight: 600; }
    .cards td { display: flex; justify-content: space-between; gap: 0.5rem; }
    /* Not to be read out: the cell still belongs to its column. */
    .cards td::before { flex: 1 1 3rem; content: attr(data-title); content: attr(data-title) / ''; color: var(--faint); font-weight: 400; text-align: left; }
  }
}`;

const pictures = `
.definitions { position: absolute; }
.full { fill: var(--colour); }
.tint { fill: var(--tint); }
.line { stroke: var(--colour); stroke-width: 1.6; }
${palette.map((_, index) => `.colour-${index} { --colour: var(--colour-${index}); --tint: var(--tint-${index}); }`).join('\n')}
.band { stroke: var(--colour); stroke-width: 1; stroke-linejoin: round; }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0 0 1rem; padding: 0; list-style: none; }
.legend svg { vertical-align: -1px; }
.runs { display: grid; gap: 1.5rem; }
/* Else a wide table would widen its column, and the page. */
.runs article, .runs article > * { min-width: 0; }
.runs article { padding: 1rem; border-radius: 6px; background: var(--panel); }
.finding { margin: 0.5rem 0; }
.close-up { margin: 0.5rem 0 0.25rem; font-size: 0.9rem; color: var(--faint); }
figure { margin: 0.75rem 0 0; max-width: 28rem; }
figcaption { font-size: 0.9rem; line-height: 1.4; }
.chart { display: block; width: 100%; height: auto; }
.chart text { fill: var(--ink); font-size: 13px; }
.chart .tick { fill: var(--faint); }
.chart .band-name { font-weight: 600; paint-order: stroke; stroke: var(--panel); stroke-width: 4px; stroke-linejoin: round; }
.chart .mark-name { fill: var(--mark); font-weight: 600; }
.grid { stroke: var(--line); stroke-width: 1; }
.axis { fill: none; stroke: var(--faint); stroke-width: 1; }
.phase { fill: var(--shade); }
.limit { stroke: var(--ink); stroke-width: 2; stroke-dasharray: 7 3; }
.mark { stroke: var(--mark); stroke-width: 2; stroke-dasharray: 2 3; }
/* Else the smaller pictures would stand alone beside an empty half. */
@media print, (44rem <= width < 64rem) {
  .runs article { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); grid-template-rows: repeat(4, auto) 1fr; column-gap: 1.5rem; }
  .runs article > :not(figure) { grid-column: 1 / -1; }
  .runs figure { max-width: none; }
  .runs figure:first-of-type { grid-row: span 2; }
}
@media screen and (min-width: 64rem) {
  .runs { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  /* The pictures of the three runs stand beside each other, however long the words above them are. */
  .runs article { display: grid; grid-template-rows: subgrid; grid-row: span 7; row-gap: 0; }
  .runs figcaption { min-height: 2.8em; }
}`;

export const style: Markup = new Markup([colours, text, tables, pictures, paper].join('\n'));
