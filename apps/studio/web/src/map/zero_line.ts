// Where a number changes its sign: the line p = 0 is what a map of p is looked at for. Straight pieces within blocks of four
// cells, at the zero of the line between two neighbours; blocks with a cell without a value have none.
import type { MapResult } from '../types';

export type Piece = [number, number, number, number];  // x, y of both ends, in cells from the first one's middle

const corners: [number, number][] = [[0, 0], [1, 0], [1, 1], [0, 1]];

function crossings(block: number[], column: number, row: number): [number, number][] {
  const found: [number, number][] = [];
  corners.forEach(([x, y], index) => {
    const after = (index + 1) % 4;
    const [a, b] = [block[index]!, block[after]!];
    if (a < 0 === b < 0) return;
    const along = a / (a - b);
    const [toX, toY] = corners[after]!;
    found.push([column + x + (toX - x) * along, row + y + (toY - y) * along]);
  });
  return found;
}

export function zeroLine(result: MapResult): Piece[] {
  const columns = result.x.count;
  const pieces: Piece[] = [];
  for (let row = 0; row + 1 < result.y.count; ++row) {
    for (let column = 0; column + 1 < columns; ++column) {
      const block = corners.map(([x, y]) => result.values[(row + y) * columns + column + x] ?? Number.NaN);
      if (!block.every(Number.isFinite)) continue;
      const points = crossings(block, column, row);
      for (let i = 0; i + 1 < points.length; i += 2) pieces.push([...points[i]!, ...points[i + 1]!]);
    }
  }
  return pieces;
}
