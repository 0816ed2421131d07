import type { Stacked } from './bands.ts';
import { widthOf } from './labels.ts';

/** The middle of a name that lies within its band with its whole width, and so on no other. */
export interface BandName {
  readonly text: string;
  readonly moment: number;
  readonly value: number;
}

export interface Scales {
  readonly pixelsPerMoment: number;
  readonly pixelsPerValue: number;
}

const letterHeight = 15;
const margin = 4;

/** Where each band is thickest; none for a band that is too thin everywhere. */
export function nameBands(bands: readonly Stacked[], scales: Scales): BandName[] {
  return bands.flatMap((band) => {
    const moments = Math.ceil((widthOf(band.name) + margin) / scales.pixelsPerMoment);
    const room = roomiest(band, moments);
    if (room === undefined || room.thickness * scales.pixelsPerValue < letterHeight) return [];
    return [{ text: band.name, moment: room.from + moments / 2, value: room.middle }];
  });
}

interface Room {
  readonly from: number;
  readonly thickness: number;
  readonly middle: number;
}

function roomiest({ lower, upper }: Stacked, moments: number): Room | undefined {
  let best: Room | undefined;
  for (let from = 0; from + moments < upper.length; from++) {
    const floor = Math.max(...lower.slice(from, from + moments + 1));
    const ceiling = Math.min(...upper.slice(from, from + moments + 1));
    const thickness = ceiling - floor;
    if (thickness <= (best?.thickness ?? 0)) continue;
    best = { from, thickness, middle: (floor + ceiling) / 2 };
  }
  return best;
}
