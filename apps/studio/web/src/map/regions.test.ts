import { expect, it } from 'vitest';
import type { MapResult } from '../types';
import { regionLabels, roomFor, shortName, widerPlaces } from './regions';

function wordMap(columns: number, rows: number, word: (column: number, row: number) => number | null): MapResult {
  const axis = (count: number) => ({ path: 'p', from: 0, to: 1, count, name: 'p', unit: '1' });
  const values = Array.from({ length: columns * rows }, (_, i) => word(i % columns, Math.floor(i / columns)));
  return { x: axis(columns), y: axis(rows), quantity: 'verdict', unit: '', words: true, names: ['a', 'b'], values, reasons: [], reason: [], boundaries: [], final: true };
}

it('puts a name in the middle of its region', () => {
  const [label, ...others] = regionLabels(wordMap(21, 21, () => 0));
  expect(others).toEqual([]);
  expect(label).toEqual({ word: 'a', x: 0.5, y: 0.5, room: 11 });
});

it('names every large region once, and its place is inside', () => {
  const result = wordMap(40, 20, (column) => (column < 15 ? 0 : column < 25 ? 1 : 0));
  const labels = regionLabels(result);
  expect(labels.map((label) => label.word)).toEqual(['a', 'b', 'a']);
  for (const label of labels) {
    const at = Math.floor(label.y * 20) * 40 + Math.floor(label.x * 40);
    expect(result.names[result.values[at]!]).toBe(label.word);
  }
});

it('passes over specks and cells without a value', () => {
  expect(regionLabels(wordMap(40, 20, (column, row) => (column === 5 && row === 5 ? 1 : null)))).toEqual([]);
});

it('knows whether a text fits', () => {
  const result = wordMap(40, 20, (column) => (column < 15 ? 0 : 1));
  const label = { word: 'a', x: 0.2, y: 0.5, room: 5 };
  expect(roomFor(result, label, 0.15, 0.1)).toBe(true);
  expect(roomFor(result, label, 0.19, 0.1)).toBe(false);
  expect(roomFor(result, label, 0.21, 0.1)).toBe(false);
  expect(roomFor(result, { ...label, word: 'b' }, 0.01, 0.01)).toBe(false);
});

it('finds a wider place in a region that opens', () => {
  const result = wordMap(41, 20, (column, row) => (Math.abs(column - 20) <= row ? 1 : 0));  // a wedge, widest at the top
  const deepest = regionLabels(result).find((label) => label.word === 'b')!;
  expect(roomFor(result, deepest, 0.4, 0.02)).toBe(false);
  const [widest] = widerPlaces(result, deepest);
  expect(widest).toMatchObject({ word: 'b', x: 0.5, y: 19.5 / 20, room: 39 });
  expect(roomFor(result, widest!, 0.4, 0.02)).toBe(true);
});

it('shortens a word no further than others allow', () => {
  expect(shortName('inconsistent', ['unique', 'inconsistent'])).toBe('inc.');
  expect(shortName('inconsistent', ['incoherent', 'inconsistent'])).toBe('incon.');
  expect(shortName('jam', ['jam', 'jammed'])).toBe('jam');
  expect(shortName('S+', ['S+', 'S-'])).toBe('S+');
});

it('puts the name of a low band in its middle', () => {
  const result = wordMap(41, 20, (_column, row) => (row < 3 ? 1 : 0));
  const band = regionLabels(result).find((label) => label.word === 'b')!;
  expect(widerPlaces(result, band)[0]).toMatchObject({ word: 'b', x: 0.5, room: 41 });
});
