import { describe, expect, it } from 'vitest';
import type { ContactAnalysis, Place } from '../types';
import { half, mantle, reachesBelow, slipRay } from './cone_geometry';

// The rod at 60° with m = l = 1, κ = 1/3: its edges W (∓μ, 1), and p = W_nn − μ W_tn along +t.
const rod = { mu: 1.7, W_tt: [[3.25]], W_tn: [1.299038105676658], W_nn: 1.75 } as ContactAnalysis;

describe('the ray of the present slip', () => {
  it('has the height p of that slip', () => {
    const ray = slipRay(rod, [1]);
    expect(ray[0]).toBeCloseTo(1.299038105676658 - 1.7 * 3.25, 12);
    expect(ray[1]).toBeCloseTo(1.75 - 1.7 * 1.299038105676658, 12);
    expect(reachesBelow([ray, slipRay(rod, [-1])])).toBe(true);
    expect(reachesBelow([slipRay({ ...rod, mu: 1.3 }, [1])])).toBe(false);
  });

  it('uses the whole tangential block in space', () => {
    const contact = { mu: 0.5, W_tt: [[2, 0.3], [0.3, 1]], W_tn: [0.4, -0.2], W_nn: 1 } as ContactAnalysis;
    const ray = slipRay(contact, [0.6, 0.8]);
    expect(ray[0]).toBeCloseTo(0.4 - 0.5 * (2 * 0.6 + 0.3 * 0.8), 12);
    expect(ray[1]).toBeCloseTo(-0.2 - 0.5 * (0.3 * 0.6 + 1 * 0.8), 12);
    expect(ray[2]).toBeCloseTo(1 - 0.5 * (0.4 * 0.6 - 0.2 * 0.8), 12);
  });
});

function area(polygon: Place[]): number {
  let twice = 0;
  polygon.forEach((a, i) => {
    const b = polygon[(i + 1) % polygon.length]!;
    twice += a[0] * b[2] - b[0] * a[2];
  });
  return Math.abs(twice) / 2;
}

describe('cut by the tangent plane', () => {
  const wedge: Place[] = [[0, 0, 0], [-2, 0, -1], [3, 0, 2]];
  it('a wedge falls into two parts that meet on the plane and make up the whole', () => {
    const [above, below] = [half(wedge, true), half(wedge, false)];
    expect(above.every((place) => place[2] >= 0)).toBe(true);
    expect(below.every((place) => place[2] <= 0)).toBe(true);
    expect(area(above) + area(below)).toBeCloseTo(area(wedge), 12);
    expect(area(below)).toBeGreaterThan(0.1);
  });

  it('a cone above the plane has no part below it', () => {
    const rim: Place[] = [[1, 0, 1], [0, 1, 1], [-1, 0, 1], [0, -1, 1]];
    expect(mantle(rim, true)).toHaveLength(12);
    expect(mantle(rim, false)).toHaveLength(0);
  });
});
