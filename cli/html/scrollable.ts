import { markup, type Markup } from './markup.ts';

/** What may be wider than the page scrolls by itself, with the keyboard too. */
export const scrollable = (label: string, content: Markup): Markup =>
  markup`<div class="scrollable" role="region" aria-label="${label}" tabindex="0">
${content}
</div>`;
