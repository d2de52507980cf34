import { expect, it } from 'vitest';
import type { MapResult } from '../types';
import { hoverText } from './hover_text';

const axis = (path: string, count: number) => ({ path, from: 0, to: Math.PI, count });
const result: MapResult = {
  x: { ...axis('state.theta', 3), name: 'theta', unit: 'rad' }, y: { ...axis('contact.tip.mu', 2), name: 'tip.mu', unit: '1' },
  quantity: 'mu_jam', unit: '1', words: false, names: [], values: [1, 2.5, null, 4, 5, 6], reasons: ['out of reach by 0.123456789 m'],
  reason: [-1, -1, 0, -1, -1, -1], boundaries: [], final: false,
};

it('tells both variables and the value of the nearest cell of a coarse stage', () => {
  const axes = { x: axis('state.theta', 301), y: axis('contact.tip.mu', 301) };
  expect(hoverText(result, axes, [150, 0])).toBe('theta = 90°, tip.mu = 0: mu_jam = 2.5');
  expect(hoverText(result, axes, [0, 300])).toBe('theta = 0°, tip.mu = 3.1416: mu_jam = 4');
});

it('tells why there is no value', () => {
  const axes = { x: axis('state.theta', 3), y: axis('contact.tip.mu', 2) };
  expect(hoverText(result, axes, [2, 0])).toBe('theta = 180°, tip.mu = 0: no mu_jam: out of reach by 0.12346 m');
});
