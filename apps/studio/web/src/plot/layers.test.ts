import { describe, expect, it } from 'vitest';
import { noteText } from './layers';

describe('notes', () => {
  it('keep their coordinates where there is room', () => {
    expect(noteText('T (0.3266, 0.4516)', 400)).toBe('T (0.3266, 0.4516)');
  });

  it('are the name alone in a small plot', () => {
    expect(noteText('T (0.3266, 0.4516)', 200)).toBe('T');
    expect(noteText('a saddle', 200)).toBe('a saddle');
  });
});
