import { describe, expect, it } from 'vitest';
import { firstQuantity, futureText, limitReport, limitText, orderText, quantities } from './limits';

const raw = {
  verdict: 'depends on the regularisation',
  verdict_reason: 'because',
  futures: [{ why: 'mode F', outcome: 'F' }, { why: 'mode S-', outcome: 'S-' }],
  series: [
    { name: 'a', outcome: 'F', future: 0, limits: [{ name: 't', limit: 1, error: null, order: null, logarithm: false, rigid: null }, null] },
    { name: 'b', outcome: 'S-', future: null, limits: [{ name: 'impulse_n.tip', limit: 0.372937, error: 0.00061, order: 1, logarithm: true, rigid: null }] },
  ],
};

describe('a study of limits', () => {
  const report = limitReport(raw);

  it('is read by meaning, quantities without a limit left out', () => {
    expect(quantities(report)).toEqual(['t', 'impulse_n.tip']);
    expect(firstQuantity(quantities(report))).toBe('impulse_n.tip');
    expect(limitText(report.series[1]!.limits[0])).toBe('0.37294 ± 0.00061');
    expect(limitText(report.series[0]!.limits[0])).toBe('1');
    expect(limitText(undefined)).toBe('–');
    expect(orderText(report.series[1]!.limits[0])).toBe('1, with a logarithm');
  });

  it('names the rigid future', () => {
    expect(futureText(report, 1)).toBe('1: mode S- (ends in S−)');
    expect(futureText(report, null)).toBe('–');
    expect(futureText({ ...report, futures: [{ why: '', outcome: 'T' }] }, 0)).toBe('the rigid motion (ends in T)');
  });

  it('survives a report without any of it', () => {
    const empty = limitReport({});
    expect(empty.verdict).toBe('undecided');
    expect(firstQuantity(quantities(empty))).toBe('');
  });
});
