import { describe, expect, it } from 'vitest';
import { visiblePart } from './planar_canvas';

describe('a surface that reaches far', () => {
  it('is cut to the picture and its margin', () => {
    const [from, to] = visiblePart([-1e6, 50], [1e6, 50], 200, 100, 10)!;
    expect(-1e6 + from * 2e6).toBeCloseTo(-10, 6);
    expect(-1e6 + to * 2e6).toBeCloseTo(210, 6);
  });
  it('is not drawn beside the picture', () => {
    expect(visiblePart([0, 120], [200, 120], 200, 100, 10)).toBeNull();
    expect(visiblePart([-50, 200], [-40, -200], 200, 100, 10)).toBeNull();
  });
  it('is whole where it is seen whole', () => {
    expect(visiblePart([20, 20], [80, 70], 200, 100)).toEqual([0, 1]);
  });
});
