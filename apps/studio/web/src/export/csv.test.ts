import { expect, it } from 'vitest';
import type { MapResult, Track } from '../types';
import { csvField, mapCsv, branchCsv } from './csv';

it('quotes what would be read as structure', () => {
  expect(csvField('a,b')).toBe('"a,b"');
  expect(csvField('say "no"')).toBe('"say ""no"""');
  expect(csvField(null)).toBe('');
  expect(csvField(0)).toBe('0');
});

it('writes one line per cell with the word or the reason', () => {
  const map: MapResult = {
    x: { path: 'state.theta', from: 0, to: 1, count: 2, name: 'theta', unit: 'rad' },
    y: { path: 'contact.tip.mu', from: 0, to: 0.5, count: 2, name: 'tip.mu', unit: '1' },
    quantity: 'verdict', unit: '', words: true, names: ['unique', 'inconsistent'],
    values: [0, 1, null, 0], reasons: ['open, so no modes'], reason: [-1, -1, 0, -1], boundaries: [], final: true,
  };
  expect(mapCsv(map).trim().split('\n')).toEqual([
    'theta [rad],tip.mu,verdict,reason', '0,0,unique,', '1,0,inconsistent,', '0,0.5,,"open, so no modes"', '1,0.5,unique,',
  ]);
});

it('writes one line per sample of a run', () => {
  const track: Track = {
    parent: -1, why: '', stopped: 't_end', stop_reason: '', outcome: 'F', contacts: ['tip'], rows: 2,
    t: [0, 0.5], gap: [[0, 0.1]], u: [[1, 2], [3, 4]], lambda: [[5, 6], [7, 8]], energy: [9, 8.5], mode: ['S+', 'F'], events: [], frames: [],
  };
  expect(branchCsv([track])).toBe(
    't [s],tip.gap [m],tip.u_t [m/s],tip.u_n [m/s],tip.lambda_t [N],tip.lambda_n [N],energy [J],mode\n' +
    '0,0,1,3,5,7,9,S+\n0.5,0.1,2,4,6,8,8.5,F\n',
  );
  expect(branchCsv([track, { ...track, parent: 0, t: [0.5, 1] }]).split('\n').map((row) => row.split(',')[0])).toEqual(['t [s]', '0', '0.5', '0.5', '1', '']);
});
