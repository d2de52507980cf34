import { describe, expect, it } from 'vitest';
import type { ContactAnalysis, FastReply } from '../types';
import { clippedPolygon, type Point } from './clip';
import { contactRegions, portraitWords, validStarts, windowWith } from './fast_portrait';

function areaOf(corners: Point[]): number {
  return Math.abs(corners.reduce((sum, [x, y], i) => {
    const [u, v] = corners[(i + 1) % corners.length]!;
    return sum + (x * v - u * y) / 2;
  }, 0));
}

describe('regions of contact and no contact', () => {
  it('split the window along k y + ν v = 0', () => {
    const w = { y_from: -1, y_to: 1, v_from: -1, v_to: 1 };
    const box = { left: -1, right: 1, top: -1, bottom: 1 };
    for (const damping of [0, 0.5, 3, 100]) {
      const { contact, free } = contactRegions(w, 2, damping);
      const inside = clippedPolygon(contact, box);
      expect(areaOf(inside)).toBeCloseTo(2, 9);
      expect(areaOf(clippedPolygon(free, box))).toBeCloseTo(2, 9);
      const centre = inside.reduce((sum, [y, v]) => sum + (2 * y + damping * v) / inside.length, 0);
      expect(centre).toBeLessThan(0);
    }
  });
});

describe('words about a portrait', () => {
  const contact = (b_n: number, b_t = 0) =>
    ({ b_n, b_t: [b_t], u_t: [0], mu: 0.5, W_tt: [[1]], W_tn: [0.25], W_nn: 1 }) as unknown as ContactAnalysis;
  const reply = (equilibria: FastReply['equilibria']) => ({ equilibria }) as FastReply;

  it('follow the equilibria that were found', () => {
    expect(portraitWords(reply([]), contact(-1), 1)).toContain('only way on');
    expect(portraitWords(reply([]), contact(1), 1)).toContain('breaks from every start');
    expect(portraitWords(reply([{ at: [0, 0], saddle: true, mode: 'S+' }]), contact(1), 1)).toContain('separatrix');
    // Slip along +t becomes stick at f = 0.5/(0.5 − 0.25) = 2, where v′ = b_n + 2 (1 − 0.125).
    expect(portraitWords(reply([]), contact(-1.75, 0.5), 1)).toContain('one state only');
    expect(portraitWords(reply([]), contact(-1.76, 0.5), 1)).toContain('only way on');
    const settled = reply([{ at: [0, 0], saddle: false, mode: 'stick' }]);
    expect(portraitWords(settled, contact(-1), 1)).toContain('(stick) attracts');
    expect(portraitWords(settled, contact(-1), 0)).toContain('for ever');
    expect(portraitWords(settled, contact(-1), 1)).not.toContain('separatrix');
  });
});

describe('starts', () => {
  it('from an address are pairs of numbers or left out', () => {
    expect(validStarts([[0, -0.2], 'x', [1], [1, NaN], null, 3])).toEqual([[0, -0.2]]);
    expect(validStarts('x')).toEqual([]);
  });

  it('outside of the window widen it on their side only', () => {
    const w = { y_from: -1, y_to: 1, v_from: -2, v_to: 2 };
    expect(windowWith(w, [0.5, -1])).toEqual(w);
    expect(windowWith(w, [3, 0])).toEqual({ ...w, y_to: 3.2 });
    expect(windowWith(w, [0, -5])).toEqual({ ...w, v_from: -5.4 });
  });
});
