// The legend of a plot: one entry per label, in rows below it.
import type { PenData, PlotLayer } from '../types';
import { textWidth } from './markup';

export interface LegendEntry {
  label: string;
  pen: PenData;
  line: boolean;
  glyph: string;
  fill: string;        // '': no box
  fill_opacity: number;
}
export interface PlacedEntry extends LegendEntry {
  x: number;
  y: number;  // middle of the row
}

export const legendText = 13;
export const legendRow = 20;
export const sampleWidth = 26;
const gap = 6;
const between = 18;

function entryOf(layer: PlotLayer): LegendEntry | null {
  const nothing = { glyph: 'none', fill: '', fill_opacity: 0 };
  if (layer.kind === 'curve' && layer.points.length > 0) {
    return { ...nothing, label: layer.label, pen: layer.pen, line: layer.line, glyph: layer.glyph };
  }
  if (layer.kind === 'region' && layer.corners.length > 0) {
    return { ...nothing, label: layer.label, pen: layer.pen, line: false, fill: layer.fill, fill_opacity: layer.fill_opacity };
  }
  if (layer.kind === 'rule') return { ...nothing, label: layer.label, pen: layer.pen, line: true };
  return null;
}

export function legendEntries(layers: PlotLayer[]): LegendEntry[] {
  const entries: LegendEntry[] = [];
  for (const layer of layers) {
    const entry = entryOf(layer);
    if (!entry?.label) continue;
    const same = (other: LegendEntry) =>
      other.label === entry.label && other.pen.colour === entry.pen.colour && other.fill === entry.fill;
    if (!entries.some(same)) entries.push(entry);
  }
  return entries;
}

// In rows of `width`; and the height of them all.
export function placedEntries(entries: LegendEntry[], width: number): { entries: PlacedEntry[]; height: number } {
  let x = 0;
  let row = 0;
  const placed = entries.map((entry) => {
    const wide = sampleWidth + gap + textWidth(entry.label, legendText);
    if (x > 0 && x + wide > width) {
      x = 0;
      ++row;
    }
    const at = { ...entry, x, y: (row + 0.5) * legendRow };
    x += wide + between;
    return at;
  });
  return { entries: placed, height: entries.length > 0 ? (row + 1) * legendRow : 0 };
}
