/** Lines of figures under titles, for a terminal of any width. */
import { clip, paint, type Look, type Style } from './text.ts';

const usualGap = 2;

export interface Column<Row> {
  readonly title: string;
  readonly align: 'left' | 'right';
  /** On a narrow terminal the columns with the highest number go first; those with 0 stay. */
  readonly expendable: number;
  /** Spaces before it, when not two. */
  readonly gap?: number;
  /** So wide at least: what changes all the time must not move what stands beside it. */
  readonly least?: number;
  readonly cell: (row: Row) => string;
  readonly style?: (row: Row) => Style | undefined;
}

export interface Fitted<Row> {
  readonly column: Column<Row>;
  readonly gap: number;
  /** Without the gap. */
  readonly width: number;
}

/** When nothing expendable is left, the first column is cut: it has the names. */
export function fit<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  available: number,
): Fitted<Row>[] {
  let fitted = columns.map((column, index) => ({
    column,
    gap: index === 0 ? 0 : (column.gap ?? usualGap),
    width: widthOf(column, rows),
  }));
  const excess = (): number =>
    fitted.reduce((sum, { gap, width }) => sum + gap + width, 0) - available;
  const ranks = columns.map(({ expendable }) => expendable);
  for (let rank = Math.max(...ranks); rank > 0 && excess() > 0; rank--) {
    fitted = fitted.filter(({ column }) => column.expendable !== rank);
  }
  const cut = Math.max(0, excess());
  return fitted.map((each, index) => (index === 0 ? { ...each, width: each.width - cut } : each));
}

const widthOf = <Row>({ title, cell, least = 0 }: Column<Row>, rows: readonly Row[]): number =>
  Math.max(title.length, least, ...rows.map((row) => cell(row).length));

export const header = (fitted: readonly Fitted<never>[]): string =>
  fitted.map((each) => aligned(each, each.column.title)).join('');

export function line<Row>(row: Row, fitted: readonly Fitted<Row>[], look: Look): string {
  const cells = fitted.map((each) => {
    const text = aligned(each, each.column.cell(row));
    const style = each.column.style?.(row);
    return style === undefined ? text : paint(look, style, text);
  });
  return cells.join('');
}

function aligned({ column, gap, width }: Fitted<never>, text: string): string {
  const clipped = clip(text, width);
  return (
    ' '.repeat(gap) + (column.align === 'right' ? clipped.padStart(width) : clipped.padEnd(width))
  );
}
