// Colours that all kinds of sight tell apart (Okabe and Ito), the same words with the same colours everywhere.
export const series = ['#000000', '#E69F00', '#56B4E9', '#009E73', '#F0E442', '#0072B2', '#D55E00', '#CC79A7'];

const ofWord: Record<string, string> = {
  unique: '#009E73',
  inconsistent: '#D55E00',
  indeterminate: '#CC79A7',
  impact: '#56B4E9',
  one: '#009E73',
  none: '#D55E00',
  several: '#CC79A7',
};

export function wordColour(word: string, index = 0): string {
  const spare = ['#0072B2', '#E69F00', '#F0E442', '#999999', '#56B4E9', '#009E73', '#D55E00', '#CC79A7'];
  return ofWord[word] ?? spare[index % spare.length]!;
}

// Kinds of arrows and curves in every picture.
export const arrows = { force: '#D55E00', velocity: '#0072B2', cone: '#E69F00', free: '#CC79A7' };

// A ramp of even lightness from dark blue (0) to yellow (1), read by the colour-blind and in grey.
const ramp: [number, number, number][] = [
  [0, 34, 78], [18, 53, 112], [59, 73, 108], [87, 93, 109], [112, 113, 115], [138, 134, 120], [165, 156, 116], [195, 179, 105], [225, 204, 85], [254, 232, 56],
];

export function rampColour(part: number): [number, number, number] {
  const at = Math.min(1, Math.max(0, part)) * (ramp.length - 1);
  const low = Math.min(ramp.length - 2, Math.floor(at));
  const [a, b] = [ramp[low]!, ramp[low + 1]!];
  const mix = (i: 0 | 1 | 2) => Math.round(a[i] + (b[i] - a[i]) * (at - low));
  return [mix(0), mix(1), mix(2)];
}

export function rgb(hex: string): [number, number, number] {
  const number = Number.parseInt(hex.slice(1), 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}
