/** A text that wants to stand in the middle of a stretch. */
export interface Label {
  readonly text: string;
  readonly middle: number;
}

export interface PlacedLabel {
  readonly text: string;
  readonly left: number;
}

/** Of the size in which the pictures are lettered; rather too wide than too narrow. */
const letterWidth = 8;
const gap = 6;

export const widthOf = (text: string): number => text.length * letterWidth;

/** Puts labels beside each other, each as near to its middle as its neighbours and the edges allow. */
export function placeLabels(labels: readonly Label[], from: number, to: number): PlacedLabel[] {
  let free = from;
  const placed = labels.map(({ text, middle }) => {
    const left = Math.max(free, middle - widthOf(text) / 2);
    free = left + widthOf(text) + gap;
    return { text, left };
  });
  let edge = to;
  return placed
    .toReversed()
    .map(({ text, left }) => {
      const moved = Math.min(left, edge - widthOf(text));
      edge = moved - gap;
      return { text, left: moved };
    })
    .toReversed();
}
