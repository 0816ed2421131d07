/** The page for people who do not read code: one file, no script, nothing fetched from elsewhere. */
import { figures } from './figures.ts';
import { headline } from './headline.ts';
import { incident } from './incident.ts';
import { markup } from './markup.ts';
import { method } from './method.ts';
import { objectives } from './objectives.ts';
import { textureDefinitions } from './patterns.ts';
import type { Report } from './report.ts';
import { runs } from './runs.ts';
import { style } from './style.ts';

export function page(report: Report): string {
  const { scenario } = report;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="generator" content="watertight ${report.version}">
<title>Rehearsal of ${scenario.name}: ${outcome(report)}</title>
<style>${style}</style>
</head>
<body>
${textureDefinitions(scenario.workloads.length)}
${headline(report)}
<main>
${incident(report)}
${runs(report)}
${figures(report)}
${objectives(report)}
${method(report)}
</main>
<footer><p>Made by <code>npx watertight rehearse --html</code>, watertight ${report.version}.</p></footer>
</body>
</html>
`.text;
}

function outcome({ rehearsal }: Report): string {
  if (rehearsal.void) return 'void, nothing is proven';
  return rehearsal.met ? 'every objective met' : 'not every objective met';
}
