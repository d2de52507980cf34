import { describe, expect, it } from 'vitest';
import { clusterFlags, countText, eventAfter } from './flags';

describe('flags', () => {
  it('stay single where there is room', () => {
    expect(clusterFlags([0, 30, 60], 26).map((flag) => flag.events)).toEqual([[0], [1], [2]]);
  });

  it('become one where they crowd, never overlap, and lose no event', () => {
    const places = Array.from({ length: 200 }, (_, k) => 3 * k);
    const flags = clusterFlags(places, 26);
    expect(flags.flatMap((flag) => flag.events)).toEqual(places.map((_, k) => k));
    for (let k = 1; k < flags.length; ++k) expect(flags[k]!.at - flags[k - 1]!.at).toBeGreaterThanOrEqual(26);
    for (const flag of flags) for (const index of flag.events) expect(places[index]! - flag.at).toBeLessThan(26);
  });

  it('show no count that is cut off', () => {
    expect([2, 132, 999, 1000].map(countText)).toEqual(['2', '132', '999', '…']);
  });

  it('lead through their events by repeated clicks', () => {
    const flag = { at: 0, events: [3, 4, 5] };
    const times = [0, 0, 0, 1, 1.5, 2];
    expect(eventAfter(flag, times, 0)).toBe(3);
    expect(eventAfter(flag, times, 1)).toBe(4);
    expect(eventAfter(flag, times, 2)).toBe(3);
  });
});
