import { describe, expect, it } from 'vitest';
import { contrast, onPaper } from './on_paper';

describe('colours on dark paper', () => {
  const dark = { paper: '#16181b', ink: '#ececea', faint: '#a3a6ab', line: '#3a3e44' };
  const light = { ...dark, paper: '#ffffff', ink: '#222222' };

  it('turn ink into ink, keep the series, and lift what would not be seen', () => {
    expect(onPaper('#000000', dark)).toBe(dark.ink);
    expect(onPaper('#222222', dark)).toBe(dark.ink);
    expect(onPaper('#d55e00', dark)).toBe('#d55e00');
    expect(contrast(onPaper('#00224e', dark), dark.paper)).toBeGreaterThan(2);
    expect(onPaper('#00224e', light)).toBe('#00224e');
  });
});
