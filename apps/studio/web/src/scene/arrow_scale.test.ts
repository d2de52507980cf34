import { describe, expect, it } from 'vitest';
import { arrowScale, pixelsPer, roundBelow, steadyScale } from './arrow_scale';

describe('round numbers', () => {
  it('are 1, 2, 5 times a power of ten, never above', () => {
    const cases: [number, number][] = [[1, 1], [1.999, 1], [2, 2], [4.9, 2], [5, 5], [9.99, 5], [10, 10], [0.03, 0.02], [1234, 1000], [0.001, 0.001]];
    for (const [size, round] of cases) expect(roundBelow(size)).toBe(round);
    expect(roundBelow(0)).toBe(1);
    expect(roundBelow(Infinity)).toBe(1);
  });
});

describe('the scale of arrows', () => {
  it('keeps the longest between one and two and a half lengths of the legend', () => {
    for (let size = 1e-4; size < 1e5; size *= 1.37) {
      const scale = arrowScale(size, 60);
      const length = size * pixelsPer(scale);
      expect(length).toBeGreaterThanOrEqual(60 * (1 - 1e-9));
      expect(length).toBeLessThan(150 * (1 + 1e-9));
    }
  });
});

describe('a steady scale', () => {
  it('stays while the arrows can be seen, and changes when they cannot', () => {
    const before = arrowScale(12, 60);
    expect(before.value).toBe(10);
    expect(steadyScale(before, 4, 60).value).toBe(10);
    expect(steadyScale(before, 24, 60).value).toBe(10);
    expect(steadyScale(before, 0, 60).value).toBe(10);
    expect(steadyScale(before, 26, 60).value).toBe(20);
    expect(steadyScale(before, 0.7, 60).value).toBe(0.5);
  });
});
