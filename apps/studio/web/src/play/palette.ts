// Colours of branches and contacts, told apart by all kinds of sight, a little lighter on dark paper.
import { useThemed } from '../theme';

export interface Palette {
  colours: string[];
  ink: string;
  faint: string;
  line: string;
  force: string;
}

const light: Palette = {
  colours: ['#0072B2', '#D55E00', '#009E73', '#B8528A', '#B87800', '#56B4E9', '#777777'],
  ink: '#222222', faint: '#6b6b6b', line: '#d4d4d0', force: '#D55E00',
};
const dark: Palette = {
  colours: ['#56B4E9', '#F0763B', '#2DBE93', '#DD93BC', '#E6B33C', '#8FA9FF', '#B5B5B5'],
  ink: '#ececea', faint: '#a3a6ab', line: '#3a3e44', force: '#F0763B',
};

function present(): Palette {
  return document.documentElement.dataset['theme'] === 'dark' ? dark : light;
}

export function usePalette(): Palette {
  return useThemed(present);
}

// The root is not a choice: it takes the last colour, its futures the first ones.
export function branchColour(palette: Palette, track: number): string {
  const count = palette.colours.length - 1;
  return track === 0 ? palette.colours[count]! : palette.colours[(track - 1) % count]!;
}

export function contactColour(palette: Palette, contact: number): string {
  return palette.colours[Math.max(0, contact) % palette.colours.length]!;
}

export const dashes: number[][] = [[], [6, 3], [2, 3], [9, 3, 2, 3]];
