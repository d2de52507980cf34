import { describe, expect, it } from 'vitest';
import type { Place } from '../types';
import { Camera } from './camera';
import { dot, minus } from './places';

function camera(space: boolean): Camera {
  const made = new Camera(space);
  [made.width, made.height] = [640, 480];
  return made;
}
const margins = { left: 40, right: 60, top: 30, bottom: 80 };
const places: Place[] = [[0, 0, 0], [1.3, 0.2, 0.1], [-0.4, 2, 1.7], [0.5, -0.6, 0.9]];

describe.each([false, true])('a camera in space: %s', (space) => {
  it('shows every fitted place inside the margins', () => {
    const made = camera(space);
    made.fit(places, margins);
    for (const place of places) {
      const [x, y] = made.project(place);
      expect(x).toBeGreaterThanOrEqual(margins.left - 1e-9);
      expect(x).toBeLessThanOrEqual(made.width - margins.right + 1e-9);
      expect(y).toBeGreaterThanOrEqual(margins.top - 1e-9);
      expect(y).toBeLessThanOrEqual(made.height - margins.bottom + 1e-9);
    }
  });

  it('finds the place under a pixel at the depth of another place', () => {
    const made = camera(space);
    made.fit(places, margins);
    for (const through of places) {
      const found = made.unproject([123, 321], through);
      expect(made.project(found)[0]).toBeCloseTo(123, 9);
      expect(made.project(found)[1]).toBeCloseTo(321, 9);
      expect(dot(minus(found, through), made.toward)).toBeCloseTo(0, 12);
    }
  });

  it('keeps the place under the pointer where it is while it zooms', () => {
    const made = camera(space);
    made.fit(places, margins);
    const held = made.unproject([100, 400], made.target);
    const scale = made.scale;
    made.zoom(1.7, [100, 400]);
    expect(made.scale).toBeCloseTo(1.7 * scale, 9);
    expect(made.project(held)[0]).toBeCloseTo(100, 9);
    expect(made.project(held)[1]).toBeCloseTo(400, 9);
  });
});

describe('the camera in space', () => {
  it('has upright axes of a right-handed frame from wherever it looks', () => {
    const made = camera(true);
    for (const [yaw, pitch] of [[0, 0], [2.2, 1.1], [-1, -0.7]] as const) {
      made.look(yaw, pitch);
      expect(dot(made.right, made.up)).toBeCloseTo(0, 12);
      expect(dot(made.up, made.toward)).toBeCloseTo(0, 12);
      expect(dot(made.up, made.up)).toBeCloseTo(1, 12);
      expect(made.up[2]).toBeGreaterThan(0);
    }
  });

  it('meets a level plane along its line of sight, and not one seen edge on', () => {
    const made = camera(true);
    made.fit(places, margins);
    const found = made.onPlane([200, 200], [0, 0, 0.25], [0, 0, 1])!;
    expect(found[2]).toBeCloseTo(0.25, 12);
    expect(made.project(found)[0]).toBeCloseTo(200, 9);
    expect(made.project(found)[1]).toBeCloseTo(200, 9);
    made.look(0.3, 0);
    expect(made.onPlane([200, 200], [0, 0, 0.25], [0, 0, 1])).toBeNull();
  });
});
