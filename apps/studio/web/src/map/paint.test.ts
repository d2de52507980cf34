import { describe, expect, it } from 'vitest';
import { rgb, wordColour } from '../colours';
import type { MapResult } from '../types';
import { colourOfPart, legendOf, paintCells, partOf, percentile, type NumberLegend } from './paint';

function map(columns: number, values: (number | null)[], names: string[] = []): MapResult {
  const axis = (count: number) => ({ path: 'p', from: 0, to: 1, count, name: 'p', unit: '1' });
  return {
    x: axis(columns), y: axis(values.length / columns), quantity: 'q', unit: '1', words: names.length > 0, names, values,
    reasons: [], reason: values.map(() => -1), boundaries: [], final: true,
  };
}
const cell = (bytes: Uint8ClampedArray, index: number) => [...bytes.slice(4 * index, 4 * index + 4)];

describe('words', () => {
  const result = map(2, [0, 1, null, 0], ['unique', 'inconsistent']);
  it('have their colour, the last row on top, and nothing where there is none', () => {
    const bytes = paintCells(result, legendOf(result));
    expect(cell(bytes, 0)).toEqual([0, 0, 0, 0]);
    expect(cell(bytes, 1)).toEqual([...rgb(wordColour('unique')), 255]);
    expect(cell(bytes, 2)).toEqual([...rgb(wordColour('unique')), 255]);
    expect(cell(bytes, 3)).toEqual([...rgb(wordColour('inconsistent')), 255]);
  });
  it('are counted', () => {
    expect(legendOf(result)).toMatchObject({ kind: 'words', missing: 0.25, entries: [{ word: 'unique', share: 0.5 }, { word: 'inconsistent', share: 0.25 }] });
  });
});

describe('numbers', () => {
  it('have percentiles between neighbours', () => {
    expect(percentile([0, 10], 0.25)).toBe(2.5);
    expect(percentile([1, 2, 3], 1)).toBe(3);
    expect(percentile([7], 0.98)).toBe(7);
  });
  it('leave a pole out of the ramp but not out of the legend', () => {
    const values = Array.from({ length: 101 }, (_, i) => 1 + i / 100);
    values[100] = 1e9;
    const legend = legendOf(map(101, values)) as NumberLegend;
    expect(legend.high).toBeCloseTo(1.98, 10);
    expect(legend.most).toBe(1e9);
    expect(legend.least).toBe(1);
  });
  it('are even about zero where the sign changes', () => {
    const legend = legendOf(map(5, [-1, 0, 1, 2, 4])) as NumberLegend;
    expect(legend.signed).toBe(true);
    expect(legend.low).toBe(-legend.high);
    expect(partOf(legend, 0)).toBe(0.5);
    expect(colourOfPart(legend, 0.5)).toEqual([242, 242, 238]);
  });
  it('go by decades where they crowd at the lower end, but not to zero', () => {
    expect(legendOf(map(3, [1, 2, 3]))).toMatchObject({ logarithmic: false });
    expect(legendOf(map(3, [0, 100, 10000]))).toMatchObject({ logarithmic: false });
    const legend = legendOf(map(3, [1, 100, 10000])) as NumberLegend;
    expect(legend.logarithmic).toBe(true);
    expect(partOf(legend, Math.sqrt(legend.low * legend.high))).toBeCloseTo(0.5, 12);
    expect(partOf(legend, -5)).toBe(0);
  });
  it('may be all the same, or none at all', () => {
    expect(legendOf(map(2, [3, 3]))).toMatchObject({ low: 3, high: 3, missing: 0 });
    expect(legendOf(map(2, [null, null])).kind).toBe('empty');
    expect(cell(paintCells(map(2, [3, 3]), legendOf(map(2, [3, 3]))), 0)[3]).toBe(255);
  });
});
