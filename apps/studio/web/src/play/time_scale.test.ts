import { describe, expect, it } from 'vitest';
import { evenScale, logarithmicScale, smallestDistance, spacing } from './time_scale';

describe('logarithmic time', () => {
  const event = 0.3;
  const scale = logarithmicScale(event, 1e-9, 0, 1);

  it('gives each decade of the distance the same room, on both sides', () => {
    for (const sign of [1, -1]) {
      const width = (d: number) => sign * (scale.toX(event + sign * 10 * d) - scale.toX(event + sign * d));
      expect(width(1e-6)).toBeCloseTo(1, 8);
      expect(width(1e-3)).toBeCloseTo(1, 8);
    }
    expect(scale.toX(event)).toBe(0);
  });

  it('rises everywhere and is one piece at the smallest distance', () => {
    const distances = [0, 2e-10, 9.99e-10, 1e-9, 1.01e-9, 1e-6, 0.29];
    const xs = [...distances.map((d) => event - d).reverse(), ...distances.slice(1).map((d) => event + d)].map(scale.toX);
    for (let k = 1; k < xs.length; ++k) expect(xs[k]!).toBeGreaterThan(xs[k - 1]!);
    expect(scale.toX(event + 1.0000001e-9) - scale.toX(event + 0.9999999e-9)).toBeLessThan(1e-5);
  });

  it('is undone by its inverse, up to the rounding of the time itself', () => {
    for (const d of [-0.3, -1e-4, -3e-8, -4e-10, 0, 7e-10, 2e-9, 5e-5, 0.7]) {
      const t = event + d;
      expect(Math.abs(scale.toT(scale.toX(t)) - t)).toBeLessThanOrEqual(1e-13 * Math.abs(d) + 2 * spacing(event));
    }
    for (const x of [scale.from, -3.2, -0.2, 0, 0.4, 5, scale.to]) expect(scale.toX(scale.toT(x))).toBeCloseTo(x, 6);
  });

  it('ends at the ends of the run and never leaves it', () => {
    expect(scale.toT(scale.from)).toBeCloseTo(0, 12);
    expect(scale.toT(scale.to)).toBeCloseTo(1, 12);
    expect(scale.toT(scale.to + 3)).toBe(1);
    const atStart = logarithmicScale(0, 1e-6, 0, 1);
    expect(atStart.toT(atStart.from)).toBe(0);
    expect(atStart.from).toBeLessThan(0);
  });

  it('marks decades where they are, few enough to be read', () => {
    const ticks = scale.ticks(8);
    expect(ticks.length).toBeLessThanOrEqual(16);
    const after = ticks.find((tick) => tick.x > 0)!;
    expect(after.x).toBeGreaterThan(0.09 * (scale.to - scale.from));
    const exponent = Number(after.text.slice(3).replace('⁻', '-').replace(/[⁰¹²³⁴-⁹]/g, (sign) => String('⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(sign))));
    expect((scale.toT(after.x) - event) / 10 ** exponent).toBeCloseTo(1, 5);
    for (let k = 1; k < ticks.length; ++k) expect(ticks[k]!.x).toBeGreaterThan(ticks[k - 1]!.x);
  });
});

describe('smallest distance', () => {
  it('is that of the nearest datum, not of the event itself nor of rounding', () => {
    const event = 0.1 + 0.2;
    expect(smallestDistance(event, [0, 0.3, event, event - 2e-6, event + 5e-7, 1])).toBeCloseTo(5e-7, 15);
    expect(smallestDistance(event, [event, 0.3])).toBeNull();
  });
});

describe('even time', () => {
  it('has an axis also for a run that stops where it starts', () => {
    const scale = evenScale(0.5, 0.5);
    expect(scale.to).toBeGreaterThan(scale.from);
    expect(scale.toT(scale.toX(0.5))).toBe(0.5);
  });
});
