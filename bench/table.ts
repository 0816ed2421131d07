/** Columns as wide as they need to be; the first is text, the others are figures. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? '';
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join(
    '\n',
  );
}

/** Three digits at most: 1.24, 15.3, 374 k. */
export function figure(value: number): string {
  if (value >= 1e6) return `${trimmed(value / 1e6)} M`;
  if (value >= 1e4) return `${trimmed(value / 1e3)} k`;
  return trimmed(value);
}

const trimmed = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

/** 10, 10³, 10⁶. */
export function size(n: number): string {
  const exponent = Math.log10(n);
  if (n < 1000 || !Number.isInteger(exponent)) return String(n);
  return `10${'⁰¹²³⁴⁵⁶⁷⁸⁹'[exponent] ?? ''}`;
}
