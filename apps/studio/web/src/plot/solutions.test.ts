import { describe, expect, it } from 'vitest';
import type { SolveReport } from '../types';
import type { Point } from './clip';
import { forceBars, nearest, solversOf } from './solutions';

describe('solutions', () => {
  const report = {
    formulation: 'step', dt: 0.01, count: 2, complete: true, verdict: 'several', contacts: ['left', 'right'],
    solutions: [
      { mode: 'FF', residual: 0, family: null, Lambda_n: [0, 0], Lambda_t: [[0], [0]], u_after: [0, 1, 0, 1] },
      { mode: 'S-T', residual: 0, family: null, Lambda_n: [2, 3], Lambda_t: [[1], [-1]], u_after: [0, 0, 0, 0] },
    ],
    lemke: { status: 'solution', pivots: 3, index: 1 },
    gauss_seidel: { projected: { index: 0 }, block: { index: 1 } },
  } as unknown as SolveReport;

  it('know which method reaches them', () => {
    expect(solversOf(report, 0)).toEqual(['Gauss–Seidel (projected)']);
    expect(solversOf(report, 1)).toEqual(['Lemke', 'Gauss–Seidel (block)']);
  });

  it('become bars of their forces, which do not overlap', () => {
    const bars = forceBars(report).layers.flatMap((layer) => (layer.kind === 'region' ? [layer.corners] : []));
    expect(bars.map((corners) => corners[2]![1])).toEqual([0, 0, 0, 0, 1, 2, -1, 3]);
    bars.slice(1).forEach((corners, i) => expect(corners[0]![0]).toBeGreaterThanOrEqual(bars[i]![1]![0] - 1e-12));
    expect(forceBars(report).x.ticks).toEqual([[0, 'FF'], [1, 'S−T']]);
  });

  it('are chosen by the nearest point within reach', () => {
    const places: Point[] = [[0, 0], [30, 0]];
    expect(nearest(places, [20, 0], 18)).toBe(1);
    expect(nearest(places, [15, 60], 18)).toBe(-1);
  });
});
