import { markup, type Content, type Markup } from './markup.ts';

/** Bears the title of its column, which stands beside it where there is no room for columns. */
export const cell = (title: string, content: Content, style = ''): Markup =>
  markup`<td data-title="${title}"${style === '' ? '' : markup` class="${style}"`}>${content}</td>`;
