import { describe, expect, it } from 'vitest';
import { plainText, textRuns } from './markup';

describe('markup', () => {
  it('lowers subscripts, raises superscripts and slants', () => {
    expect(textRuns('/μ/_{jam}')).toEqual([
      { text: 'μ', scale: 1, rise: 0, slanted: true },
      { text: 'jam', scale: 0.72, rise: -0.22, slanted: false },
    ]);
    expect(textRuns('10^{−3}').at(-1)).toEqual({ text: '−3', scale: 0.72, rise: 0.36, slanted: false });
  });

  it('nests: the second level is smaller and shifted by letters of the first', () => {
    const inner = textRuns('a^{b_{c}}').at(-1)!;
    expect(inner.scale).toBeCloseTo(0.72 * 0.72, 12);
    expect(inner.rise).toBeCloseTo(0.36 - 0.72 * 0.22, 12);
  });

  it('leaves a slash that divides, and marks that do not close', () => {
    expect(plainText('normal velocity /u/_{n} [m/s]')).toBe('normal velocity un [m/s]');
    expect(plainText('distance to limit / scale')).toBe('distance to limit / scale');
    expect(plainText('k_{+')).toBe('k_{+');
    expect(textRuns('1/k, 1/m').some((run) => run.slanted)).toBe(false);
  });
});
