/** What is different in print. Browsers leave backgrounds out: nothing here needs one. */
export const paper = `
@media print {
  @page { margin: 12mm; }
  :root { color-scheme: light; --panel: var(--page); --shade: #e4e8ec; font-size: 9.5pt; }
  body { max-width: none; padding: 0; line-height: 1.4; }
  h2 { margin-top: 1.25rem; }
  p, dd, ul { max-width: none; }
  p, dl { margin-block: 0.5rem; }
  h2, section > :has(~ .runs, ~ .scrollable) { break-after: avoid; }
  /* Paragraphs too: Chromium would rather break one than the page above its heading. */
  p, .legend, .runs article, table, tr { break-inside: avoid; }
  .runs { display: block; }
  .runs article { margin-bottom: 0.75rem; padding: 0; }
  .finding, figure { margin-top: 0.25rem; }
  .scrollable { overflow: visible; }
  table { font-size: 0.8rem; }
  th, td { padding: 0.15rem 0.4rem; }
  tbody th { white-space: normal; }
  details { display: none; }
  footer { margin-top: 1rem; break-before: avoid; }
}`;
