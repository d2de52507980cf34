import { expect, it } from 'vitest';
import type { MapResult } from '../types';
import { zeroLine } from './zero_line';

function numberMap(columns: number, rows: number, value: (column: number, row: number) => number | null): MapResult {
  const axis = (count: number) => ({ path: 'p', from: 0, to: 1, count, name: 'p', unit: '1' });
  const values = Array.from({ length: columns * rows }, (_, i) => value(i % columns, Math.floor(i / columns)));
  return { x: axis(columns), y: axis(rows), quantity: 'p', unit: '1/kg', words: false, names: [], values, reasons: [], reason: [], boundaries: [], final: true };
}

it('lies on the zero of a plane', () => {
  const pieces = zeroLine(numberMap(6, 5, (column, row) => column - 2.25 - 0.5 * row));
  expect(pieces.length).toBeGreaterThanOrEqual(4);
  for (const [x0, y0, x1, y1] of pieces) {
    expect(x0 - 2.25 - 0.5 * y0).toBeCloseTo(0, 12);
    expect(x1 - 2.25 - 0.5 * y1).toBeCloseTo(0, 12);
  }
});

it('is absent without a change of sign and beside cells without a value', () => {
  expect(zeroLine(numberMap(5, 5, () => 2))).toEqual([]);
  expect(zeroLine(numberMap(3, 3, (column, row) => (column === 1 && row === 1 ? null : column - 1.5)))).toEqual([]);
});
