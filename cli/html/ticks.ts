const leastPixels = 26;

/** Round figures from 0 up, and the highest one itself. */
export function valueTicks(highest: number, height: number): number[] {
  const step = roundStep((highest * leastPixels) / height);
  const ticks = Array.from({ length: Math.ceil(highest / step) }, (_, index) => index * step);
  return [...ticks.filter((value) => highest - value > step * 0.7), highest];
}

/** The least of 1, 2, 5, 10, 20, 50 … that is at least so much. */
function roundStep(least: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)));
  return power * ([1, 2, 5].find((step) => step * power >= least) ?? 10);
}
