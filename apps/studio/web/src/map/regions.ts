// Where the name of a region can stand inside it: colours alone do not reach everybody.
import type { MapResult } from '../types';

export interface RegionLabel {
  word: string;
  x: number;       // parts 0..1 of the picture from x.from and y.from
  y: number;
  room: number;    // cells from there to the nearest other word or edge
}

// Steps (sideways and diagonal alike) from every cell to the nearest cell of another value; two sweeps.
function depths(values: (number | null)[], columns: number, rows: number): Int32Array {
  const depth = new Int32Array(columns * rows).fill(1);
  const sweep = (order: 1 | -1) => {
    for (let n = 0; n < columns * rows; ++n) {
      const at = order === 1 ? n : columns * rows - 1 - n;
      const column = at % columns;
      const row = (at - column) / columns;
      if (row === 0 || column === 0 || row === rows - 1 || column === columns - 1) continue;
      const near = order === 1 ? [at - 1, at - columns - 1, at - columns, at - columns + 1] : [at + 1, at + columns - 1, at + columns, at + columns + 1];
      let least = order === 1 ? columns + rows : depth[at]! - 1;
      for (const other of near) least = Math.min(least, values[other] === values[at] ? depth[other]! : 0);
      depth[at] = least + 1;
    }
  };
  sweep(1);
  sweep(-1);
  return depth;
}

// The cells that hang together with one cell and have its value; marks them as seen.
function region(values: (number | null)[], columns: number, start: number, seen: Uint8Array): number[] {
  const cells = [start];
  seen[start] = 1;
  for (let next = 0; next < cells.length; ++next) {
    const at = cells[next]!;
    const column = at % columns;
    for (const other of [column > 0 ? at - 1 : -1, column < columns - 1 ? at + 1 : -1, at - columns, at + columns]) {
      if (other < 0 || other >= values.length || seen[other] || values[other] !== values[start]) continue;
      seen[other] = 1;
      cells.push(other);
    }
  }
  return cells;
}

// One label for every region of at least one per cent of the picture.
export function regionLabels(result: MapResult): RegionLabel[] {
  if (!result.words) return [];
  const columns = result.x.count;
  const rows = result.y.count;
  const depth = depths(result.values, columns, rows);
  const seen = new Uint8Array(columns * rows);
  const labels: RegionLabel[] = [];
  for (let start = 0; start < result.values.length; ++start) {
    if (seen[start]) continue;
    const cells = region(result.values, columns, start, seen);
    const value = result.values[start];
    if (value === null || value === undefined || cells.length * 100 < columns * rows) continue;
    const deepest = cells.reduce((best, cell) => (depth[cell]! > depth[best]! ? cell : best), start);
    const column = deepest % columns;
    labels.push({
      word: result.names[value] ?? '?',
      x: (column + 0.5) / columns,
      y: ((deepest - column) / columns + 0.5) / rows,
      room: depth[deepest]!,
    });
  }
  return labels;
}

// Whether a text that reaches this far (parts of the picture) to both sides and up and down stays inside its region.
export function roomFor(result: MapResult, label: RegionLabel, wide: number, high: number): boolean {
  const [columns, rows] = [result.x.count, result.y.count];
  const last = (value: number, count: number) => Math.min(count - 1, Math.floor(value * count));
  if (label.x - wide < 0 || label.x + wide > 1 || label.y - high < 0 || label.y + high > 1) return false;
  for (let row = last(label.y - high, rows); row <= last(label.y + high, rows); ++row) {
    for (let column = last(label.x - wide, columns); column <= last(label.x + wide, columns); ++column) {
      const value = result.values[row * columns + column];
      if (value === null || value === undefined || result.names[value] !== label.word) return false;
    }
  }
  return true;
}

// Places for a text that is too long for the deepest one: the middles of its row and of those above and below, the widest
// first.
export function widerPlaces(result: MapResult, label: RegionLabel): RegionLabel[] {
  const [columns, rows] = [result.x.count, result.y.count];
  const [middle, start] = [Math.floor(label.x * columns), Math.floor(label.y * rows)];
  const value = result.values[start * columns + middle];
  const same = (row: number, column: number) => column >= 0 && column < columns && result.values[row * columns + column] === value;
  const places: RegionLabel[] = [];
  for (const step of [1, -1]) {
    let column = middle;
    for (let row = step > 0 ? start : start - 1; row >= 0 && row < rows && same(row, column); row += step) {
      let [from, to] = [column, column];
      while (same(row, from - 1)) --from;
      while (same(row, to + 1)) ++to;
      column = (from + to) >> 1;
      places.push({ ...label, x: (from + to + 1) / 2 / columns, y: (row + 0.5) / rows, room: to - from + 1 });
    }
  }
  return places.sort((a, b) => b.room - a.room);
}

// Where not even that is room enough: so much of a word that it is not taken for another.
export function shortName(word: string, names: string[]): string {
  const others = names.filter((name) => name !== word);
  let length = 3;
  while (length < word.length && others.some((name) => name.startsWith(word.slice(0, length)))) ++length;
  return word.length <= length + 1 ? word : `${word.slice(0, length)}.`;
}
