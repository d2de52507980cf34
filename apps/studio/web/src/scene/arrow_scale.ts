// How long arrows are: all of a kind share one scale, of a round number, and the legend says which.
//
// The scale stays until the longest arrow leaves the picture or is hardly to be seen, so that lengths can be compared from
// frame to frame of a drag; then it is chosen anew.
export interface ArrowScale {
  value: number;   // of the arrow in the legend, a round number
  length: number;  // [px] of that arrow
}

// The largest of 1, 2, 5 × 10ᵏ that is not above `size`; 1 for nothing.
export function roundBelow(size: number): number {
  if (!(size > 0) || !Number.isFinite(size)) return 1;
  const power = 10 ** Math.floor(Math.log10(size));
  const part = size / power;
  const step = part >= 10 ? 10 : part >= 5 ? 5 : part >= 2 ? 2 : 1;
  return Number((step * power).toPrecision(1));
}

// The legend's arrow is `reference` long, the longest one up to 2.5 times as long.
export function arrowScale(largest: number, reference: number): ArrowScale {
  return { value: roundBelow(largest), length: reference };
}

const longest = 2.5;    // lengths of the legend's arrow
const shortest = 0.25;  // likewise: the longest of the picture may become as short as this

export function steadyScale(before: ArrowScale | null, largest: number, reference: number): ArrowScale {
  const lengths = before ? largest / before.value : 0;
  const fits = largest === 0 || (lengths <= longest && lengths >= shortest);
  return before && fits ? { value: before.value, length: reference } : arrowScale(largest, reference);
}

export function pixelsPer(scale: ArrowScale): number {
  return scale.length / scale.value;
}
