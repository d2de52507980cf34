// Colours of a plot. The library gives them for white paper; on dark paper its ink becomes the ink of the theme, and
// what would be too dark to be seen is lightened. They are plain values and no variables of a style sheet, so that a
// picture keeps them when it is exported.
import type { PaperColours } from '../theme';
import { rgb } from '../colours';

function luminance(hex: string): number {
  const [r, g, b] = rgb(hex).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((p, q) => p - q) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function mixed(a: string, b: string, part: number): string {
  const [p, q] = [rgb(a), rgb(b)];
  return `#${p.map((value, i) => Math.round(value + part * (q[i]! - value)).toString(16).padStart(2, '0')).join('')}`;
}

const leastContrast = 2.2;

// A colour of the library as this theme draws it.
export function onPaper(colour: string, theme: PaperColours): string {
  const [r, g, b] = rgb(colour);
  const grey = Math.max(r, g, b) - Math.min(r, g, b) < 10;
  if (grey && r <= 0x30) return theme.ink;
  if (grey && r === 255) return theme.paper;
  if (luminance(theme.paper) > 0.5) return colour;
  for (let part = 0; part < 1; part += 0.1) {
    const lighter = mixed(colour, '#ffffff', part);
    if (contrast(lighter, theme.paper) >= leastContrast) return lighter;
  }
  return theme.ink;
}
