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

const roundSeconds = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600];

/** Round times, at most seven of them. */
export function timeTicks(toMillis: number): number[] {
  const seconds = roundSeconds.find((each) => toMillis / (each * 1_000) <= 6) ?? 7_200;
  const step = seconds * 1_000;
  return Array.from({ length: Math.floor(toMillis / step) + 1 }, (_, index) => index * step);
}
