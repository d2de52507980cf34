import { describe, expect, it } from 'vitest';
import { axisOf, columnOf, logarithmicRange, nextUp, quantities } from './plot_data';
import { sampleTree, track } from './sample_tree';
import { evenScale, logarithmicScale, type TimeScale } from './time_scale';
import { branchOf } from './tracks';

function jumping() {
  const t = [0, 1, 1, 1, 2];
  const u = [-1, -2, 3, 4, 5];
  return branchOf([track(-1, t, [1], { gap: [u], u: [u, u], lambda: [u, u], energy: u })], 0);
}

describe('time axis of a plot', () => {
  const even = evenScale(0, 2);

  it('rises strictly through samples at one time and breaks the curve between them', () => {
    const branch = jumping();
    const axis = axisOf(branch, even);
    for (let k = 1; k < axis.x.length; ++k) expect(axis.x[k]!).toBeGreaterThan(axis.x[k - 1]!);
    expect(axis.sample).toEqual([0, 1, -1, 2, -1, 3, 4]);
    expect(columnOf(axis, branch.gap[0]!, null)).toEqual([-1, -2, null, 3, null, 4, 5]);
  });

  it('moves nothing by more than a few roundings', () => {
    const axis = axisOf(jumping(), even);
    axis.x.slice(1, 6).forEach((x) => expect(Math.abs(x - 1)).toBeLessThan(1e-15));
  });

  it('does so in logarithmic time, where the event is at zero', () => {
    const axis = axisOf(jumping(), logarithmicScale(1, 1e-3, 0, 2));
    for (let k = 1; k < axis.x.length; ++k) expect(axis.x[k]!).toBeGreaterThan(axis.x[k - 1]!);
    expect(axis.x[axis.sample.indexOf(1)]).toBe(0);
  });

  it('drops a sample that only repeats the one before it', () => {
    const values = [1, 2, 2, 3];
    const branch = branchOf([track(-1, [0, 1, 1, 2], [], { gap: [values], u: [values, values], lambda: [values, values], energy: values })], 0);
    expect(axisOf(branch, even).sample).toEqual([0, 1, 3]);
  });

  it('breaks forces where the mode changes, and nothing else there', () => {
    const branch = branchOf([track(-1, [0, 1, 2], [], { mode: ['S+', 'S+', 'F'] })], 0);
    expect(axisOf(branch, even, 0, true).sample).toEqual([0, 1, -1, 2]);
    expect(axisOf(branch, even).sample).toEqual([0, 1, 2]);
  });

  it('draws a ghost from where it leaves the played branch', () => {
    const branch = branchOf(sampleTree().tracks, 4);
    expect(axisOf(branch, even, 3).sample).toEqual([3, 4, -1, 5, 6]);
  });
});

describe('next greater number', () => {
  it('is the very next one', () => {
    expect(nextUp(1)).toBe(1 + Number.EPSILON);
    expect(nextUp(-1)).toBe(-1 + Number.EPSILON / 2);
    expect(nextUp(0)).toBe(Number.MIN_VALUE);
  });
});

describe('quantities', () => {
  const forces = (normal: number[], rows = 2) => {
    const zero = normal.map(() => 0);
    const lambda = rows === 1 ? [normal] : [zero, normal];
    return branchOf([track(-1, normal.map((_, k) => k), [], { rows, lambda, u: lambda, gap: [zero], energy: zero })], 0);
  };

  it('leaves out tangents and energies that a model does not have', () => {
    expect(quantities(forces([1, 2], 1)).map((one) => one.key)).toEqual(['gap', 'lambda_n', 'u_n']);
    expect(quantities(jumping()).map((one) => one.key)).toEqual(['gap', 'lambda_n', 'u_n', 'lambda_t', 'u_t', 'energy']);
  });

  it('takes components tangents first, normal last', () => {
    const branch = forces([5, 6]);
    const of = (key: string) => quantities(branch).find((one) => one.key === key)!.curves[0]!.of(branch);
    expect(of('lambda_n')).toEqual([5, 6]);
    expect(of('lambda_t')).toEqual([0, 0]);
  });

  it('reads a normal force logarithmically above three decades only, and zeros and rounding do not count', () => {
    const range = (normal: number[]) => {
      const branch = forces(normal);
      return logarithmicRange(quantities(branch).find((one) => one.key === 'lambda_n')!, [branch], evenScale(0, 3));
    };
    expect(range([0, 15, 29722, 1e-13])).toEqual([15, 29722]);
    expect(range([0, 15, 1500])).toBeNull();
    expect(range([0, 0])).toBeNull();
    const branch = forces([0, 15, 29722]);
    const gaps = branchOf([track(-1, [0, 1, 2], [], { gap: [[1e-10, 1e-6, 1]] })], 0);
    const gap = quantities(gaps).find((one) => one.key === 'gap')!;
    expect(logarithmicRange(gap, [gaps], evenScale(0, 2))).toBeNull();
    expect(logarithmicRange(gap, [gaps], logarithmicScale(1, 1e-3, 0, 2))).toEqual([1e-6, 1]);
    expect(columnOf(axisOf(branch, evenScale(0, 2)), [0, 15, 29722], 15)).toEqual([null, 15, 29722]);
  });
});

it('does not join samples about an event that the run does not resolve', () => {
  const t = [0, 0.1, 0.2, 0.3, 0.4];
  const branch = branchOf([track(-1, t, [0.2], { gap: [t], u: [t, t], lambda: [t, t], energy: t })], 0);
  const breaks = (scale: TimeScale) => axisOf(branch, scale).sample.map((sample, index) => (sample < 0 ? index : -1)).filter((index) => index >= 0);
  expect(breaks(evenScale(0, 0.4))).toEqual([]);
  // 0.2 s is the event itself: its neighbours are a tenth of a second away, and everything nearer is unknown.
  expect(breaks(logarithmicScale(0.2, 0.1, 0, 0.4))).toEqual([2, 4]);
});
