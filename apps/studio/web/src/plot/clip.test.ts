import { describe, expect, it } from 'vitest';
import { clippedLine, clippedPolygon, pathOf, type Box } from './clip';

const box: Box = { left: 0, top: 0, right: 10, bottom: 10 };

describe('clipping', () => {
  it('cuts a line where it leaves and enters, exactly and far away too', () => {
    expect(clippedLine([[5, 5], [15, 5], [15, 8], [5, 8]], box)).toEqual([[[5, 5], [10, 5]], [[10, 8], [5, 8]]]);
    expect(clippedLine([[5, 5], [15, 7], [5, 9]], box)).toEqual([[[5, 5], [10, 6]], [[10, 8], [5, 9]]]);
    const [piece] = clippedLine([[5, 0], [5, 1e300]], box);
    expect(piece).toEqual([[5, 0], [5, 10]]);
  });

  it('breaks at gaps and drops what does not meet the box', () => {
    expect(clippedLine([[1, 1], [2, 2], null, [3, 3], [4, 4]], box)).toHaveLength(2);
    expect(clippedLine([[1, 1], [NaN, 2], [3, 3]], box)).toEqual([]);
    expect(clippedLine([[-5, 2], [2, -8]], box)).toEqual([]);
  });

  it('keeps the part of a polygon inside: a half plane becomes half the box', () => {
    const corners = clippedPolygon([[-100, 5], [100, 5], [100, 500], [-100, 500]], box);
    const area = corners.reduce((sum, [x, y], i) => {
      const [u, v] = corners[(i + 1) % corners.length]!;
      return sum + (x * v - u * y) / 2;
    }, 0);
    expect(Math.abs(area)).toBeCloseTo(50, 9);
    expect(clippedPolygon([[20, 20], [30, 20], [30, 30]], box)).toEqual([]);
  });

  it('thins a path but keeps its ends', () => {
    const dense = Array.from({ length: 1001 }, (_, i): [number, number] => [i / 100, 0]);
    const path = pathOf([dense]);
    expect(path.split('L').length).toBeLessThan(40);
    expect(path.startsWith('M0 0')).toBe(true);
    expect(path.endsWith('L10 0')).toBe(true);
  });
});
