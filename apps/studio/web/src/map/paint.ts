// Colours of the cells, as bytes of one picture: words by name, numbers by a ramp whose ends leave out the outermost two
// per cent, so that a pole does not swallow all colours.
import { rampColour, rgb, wordColour } from '../colours';
import type { MapResult } from '../types';

export interface WordLegend {
  kind: 'words';
  entries: { word: string; colour: string; share: number }[];
  missing: number;  // share of the cells without a value
}
export interface NumberLegend {
  kind: 'numbers';
  low: number;    // where the ramp begins and ends
  high: number;
  least: number;  // the true extremes
  most: number;
  signed: boolean;
  logarithmic: boolean;  // most values crowd at the lower end: a straight ramp would show one colour and a rim
  missing: number;
}
export interface EmptyLegend {
  kind: 'empty';
}
export type Legend = WordLegend | NumberLegend | EmptyLegend;

// Value at a part of the sorted values, between neighbours where it falls between two.
export function percentile(sorted: ArrayLike<number>, part: number): number {
  const at = part * (sorted.length - 1);
  const low = Math.floor(at);
  const high = Math.min(sorted.length - 1, low + 1);
  return sorted[low]! + (sorted[high]! - sorted[low]!) * (at - low);
}

function numberLegend(values: (number | null)[]): NumberLegend | EmptyLegend {
  const sorted = Float64Array.from(values.filter((value): value is number => value !== null && Number.isFinite(value))).sort();
  if (sorted.length === 0) return { kind: 'empty' };
  const least = sorted[0]!;
  const most = sorted[sorted.length - 1]!;
  const counts = sorted.every((value) => Number.isInteger(value));  // each of them is a word of its own
  let low = counts ? least : percentile(sorted, 0.02);
  let high = counts ? most : percentile(sorted, 0.98);
  const signed = least < 0 && most > 0;
  if (signed) {
    const reach = Math.max(Math.abs(low), Math.abs(high)) || Math.max(-least, most);
    [low, high] = [-reach, reach];
  } else if (low === high) {
    [low, high] = [least, most];
  }
  const logarithmic = least > 0 && percentile(sorted, 0.5) - low < 0.15 * (high - low);
  return { kind: 'numbers', low, high, least, most, signed, logarithmic, missing: 1 - sorted.length / values.length };
}

function wordLegend(result: MapResult): WordLegend {
  const counts = new Array<number>(result.names.length).fill(0);
  let missing = 0;
  for (const value of result.values) {
    if (value === null) ++missing;
    else counts[value] = (counts[value] ?? 0) + 1;
  }
  const all = result.values.length || 1;
  const entries = result.names
    .map((word, index) => ({ word, colour: wordColour(word, index), share: counts[index]! / all }))
    .filter((entry) => entry.share > 0);
  return { kind: 'words', entries, missing: missing / all };
}

export function legendOf(result: MapResult): Legend {
  return result.words ? wordLegend(result) : numberLegend(result.values);
}

type Colour = [number, number, number];

// Blue below zero, orange above, pale between: told apart with every kind of sight.
export function signedColour(part: number): Colour {
  const [from, middle, to]: Colour[] = [[0, 84, 150], [242, 242, 238], [200, 80, 0]];
  const at = Math.min(1, Math.max(0, part));
  const [a, b, along] = at < 0.5 ? [from!, middle!, 2 * at] : [middle!, to!, 2 * at - 1];
  const mix = (i: 0 | 1 | 2) => Math.round(a[i] + (b[i] - a[i]) * along);
  return [mix(0), mix(1), mix(2)];
}

export function colourOfPart(legend: NumberLegend, part: number): Colour {
  return legend.signed ? signedColour(part) : rampColour(part);
}

// Where on the ramp a value stands, 0..1.
export function partOf(legend: NumberLegend, value: number): number {
  const { low, high } = legend;
  if (!(high > low)) return 0.5;
  const part = legend.logarithmic ? Math.log(Math.max(value, low) / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.min(1, Math.max(0, part));
}

function colours(result: MapResult, legend: Legend): (value: number) => Colour {
  if (legend.kind === 'words') {
    const table = result.names.map((word, index) => rgb(wordColour(word, index)));
    return (value) => table[value] ?? [128, 128, 128];
  }
  if (legend.kind === 'empty') return () => [128, 128, 128];
  const table = Array.from({ length: 512 }, (_, i) => colourOfPart(legend, i / 511));
  return (value) => table[Math.round(511 * partOf(legend, value))]!;
}

// Four bytes a cell, the row of y.to on top as in a diagram; cells without a value stay transparent.
export function paintCells(result: MapResult, legend: Legend): Uint8ClampedArray<ArrayBuffer> {
  const columns = result.x.count;
  const rows = result.y.count;
  const bytes = new Uint8ClampedArray(4 * columns * rows);
  const colourOf = colours(result, legend);
  for (let row = 0; row < rows; ++row) {
    let to = 4 * columns * (rows - 1 - row);
    for (let column = 0; column < columns; ++column, to += 4) {
      const value = result.values[row * columns + column];
      if (value === null || value === undefined || !Number.isFinite(value)) continue;
      const colour = colourOf(value);
      bytes[to] = colour[0];
      bytes[to + 1] = colour[1];
      bytes[to + 2] = colour[2];
      bytes[to + 3] = 255;
    }
  }
  return bytes;
}
