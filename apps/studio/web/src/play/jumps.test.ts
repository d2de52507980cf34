import { describe, expect, it } from 'vitest';
import { jumpsOf, tracksWithJumps } from './jumps';
import { track } from './sample_tree';

const event = (t: number, before: number, after: number) => ({
  t, kind: 'impact', mode: 'F', before: { u_n: [before], u_t: [[0.5]] }, after: { u_n: [after], u_t: [[0.5]] },
});

function result(t: number[], normal: number[], events: unknown[]) {
  const tangent = normal.map(() => 0.5);
  const report = { method: 'event', stopped: '', t: 0, outcome: '', events, energy: {} };
  return { report, tracks: [track(-1, t, [], { u: [tangent, normal], energy: normal.map(() => 7) })] };
}

describe('velocity jumps', () => {
  it('adds what comes after an impact that was sampled before it', () => {
    const given = result([0, 1, 2], [-1, -2, 0.5], [event(1, -2, 1)]);
    const got = tracksWithJumps(given).tracks[0]!;
    expect(got.t).toEqual([0, 1, 1, 2]);
    expect(got.u[1]).toEqual([-1, -2, 1, 0.5]);
    expect(got.gap[0]![2]).toBe(got.gap[0]![1]);
    expect(got.energy).toEqual([7, 7, null, 7]);
    expect(got.lambda[1]![2]).toBeNull();
    expect(given.tracks[0]!.t).toEqual([0, 1, 2]);
  });

  it('adds what came before an impact that was sampled after it', () => {
    const got = tracksWithJumps(result([0, 1], [0, 3], [event(0, -4, 0)])).tracks[0]!;
    expect(got.t).toEqual([0, 0, 1]);
    expect(got.u[1]).toEqual([-4, 0, 3]);
  });

  it('follows several impacts at one time', () => {
    const got = tracksWithJumps(result([0, 1, 2], [-1, -2, 4], [event(1, -2, 1), event(1, 1, 3)])).tracks[0]!;
    expect(got.u[1]).toEqual([-1, -2, 1, 3, 4]);
  });

  it('leaves events without a jump alone, and samples that have both sides', () => {
    expect(jumpsOf([event(1, 2, 2), { t: 1, kind: 'mode', mode: '' }])).toEqual([]);
    const both = tracksWithJumps(result([0, 1, 1, 2], [-1, -2, 1, 4], [event(1, -2, 1)])).tracks[0]!;
    expect(both.t).toEqual([0, 1, 1, 2]);
  });
});
