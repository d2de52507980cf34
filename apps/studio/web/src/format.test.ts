import { describe, expect, it } from 'vitest';
import { format, formatWithin, formatWithUnit, modeText, parseShown } from './format';

describe('numbers', () => {
  it.each([
    [0, '0'], [1, '1'], [-2.5, '−2.5'], [123456.789, '1.235e5'], [0.00001234, '1.234e−5'], [0.1 + 0.2, '0.3'], [1e8, '1e8'], [-1e-7, '−1e−7'], [null, '–'],
  ])('%s is shown as %s', (value, text) => {
    expect(format(value)).toBe(text);
  });

  it.each([
    [-2.6174646e-18, 10, '−2.617e−18'], [-2.6174646e-18, 8, '−2.6e−18'], [0.1003050468, 7, '0.10031'], [123456, 6, '1.23e5'], [9.81, 3, '9.8'], [60, 3, '60'],
  ])('%s in %s letters is %s', (value, letters, text) => {
    expect(formatWithin(value, letters)).toBe(text);
  });

  it('writes modes with a minus', () => {
    expect(modeText('S-S+')).toBe('S−S+');
    expect(modeText('mode FS-, after a Gauss-Seidel sweep')).toBe('mode FS−, after a Gauss-Seidel sweep');
  });

  it('shows angles in degrees', () => {
    expect(formatWithUnit(Math.PI / 3, 'rad')).toBe('60°');
    expect(formatWithUnit(9.81, 'm/s^2')).toBe('9.81 m/s²');
  });

  it.each([
    ['60', 'rad', Math.PI / 3], ['60deg', 'rad', Math.PI / 3], ['1 rad', 'rad', 1], ['1.9 Rad', 'rad', 1.9], ['−1.5e-3', 'm', -0.0015], ['.5', '1', 0.5],
  ])('reads %s in %s', (text, unit, value) => {
    expect(parseShown(text, unit)).toBeCloseTo(value, 15);
  });

  it.each(['', 'x', '30deg', '1 rad', '1e999', '1 2', '--1', '.'])('refuses %j', (text) => {
    expect(parseShown(text, 'm')).toBeNull();
  });
});
