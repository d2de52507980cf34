import { describe, expect, it } from 'vitest';
import type { Drawing } from '../types';
import { Camera } from './camera';
import { bodyUnder, firstGrip, slipUnder } from './picking';
import { plus } from './places';

// A thin link from (0, 0) to (1, 1), a box on its right, a floor, a mark on the link.
const drawing: Drawing = {
  dimension: 2,
  strokes: [
    { part: 'surface', points: [[-1, 0, 0], [3, 0, 0]], closed: false, width: 0 },
    { part: 'body', points: [[0, 0, 0], [1, 1, 0]], closed: false, width: 0.04 },
    { part: 'body', points: [[2, 0, 0], [3, 0, 0], [3, 1, 0], [2, 1, 0]], closed: true, width: 0 },
  ],
  balls: [{ part: 'mark', centre: [0.5, 0.5, 0], radius: 0.05 }],
  contacts: [{ name: 'tip', at: [0, 0, 0], tangents: [[1, 0, 0]], normal: [0, 1, 0], surface_velocity: [0, 0, 0] }],
  gravity: [0, -9.81, 0],
};

function camera(): Camera {
  const made = new Camera(false);
  [made.width, made.height, made.scale] = [400, 400, 100];
  made.target = [1, 0.5, 0];
  return made;
}

describe('what is under the pointer', () => {
  it('is the part along a link, within reach and not beyond', () => {
    const made = camera();
    const at = made.project([0.75, 0.75, 0]);
    const hit = bodyUnder(drawing, made, [at[0] + 4, at[1] + 4])!;
    expect(hit.grip).toMatchObject({ stroke: 1, segment: 0 });
    expect(hit.grip.along).toBeCloseTo(0.75, 9);
    expect(hit.place[0]).toBeCloseTo(0.75, 9);
    expect(bodyUnder(drawing, made, [at[0] + 12, at[1] + 12])).toBeNull();
  });

  it('is a polygon anywhere inside it, and never a surface or a mark', () => {
    const made = camera();
    expect(bodyUnder(drawing, made, made.project([2.5, 0.5, 0]))!.grip.stroke).toBe(2);
    expect(bodyUnder(drawing, made, made.project([1.5, 0, 0]))).toBeNull();
    expect(bodyUnder({ ...drawing, strokes: [] }, made, made.project([0.5, 0.5, 0]))).toBeNull();
  });

  it('offers a grip on the first body away from the contact', () => {
    expect(firstGrip(drawing)).toEqual([0.75, 0.75, 0]);
    const turned = { ...drawing, strokes: [{ ...drawing.strokes[1]!, points: [...drawing.strokes[1]!.points].reverse() }] };
    expect(firstGrip(turned)).toEqual([0.75, 0.75, 0]);
  });
});

describe('a pulled velocity', () => {
  it('is the one whose arrow ends under the pointer', () => {
    const made = camera();
    const pixelsPerUnit = 30;
    const tip = made.project(plus([0, 0, 0], (1.5 * pixelsPerUnit) / made.scale, [-1, 0, 0]));
    expect(slipUnder(made, drawing.contacts[0]!, [tip[0], tip[1] - 20], pixelsPerUnit)![0]).toBeCloseTo(-1.5, 9);
  });

  it('has both components of a contact in space', () => {
    const made = new Camera(true);
    [made.width, made.height, made.scale] = [500, 400, 80];
    const contact = { ...drawing.contacts[0]!, tangents: [[0, 1, 0], [-1, 0, 0]] as [number, number, number][], normal: [0, 0, 1] as [number, number, number] };
    const tip = made.project([(-0.7 * 50) / 80, (0.4 * 50) / 80, 0]);
    const u_t = slipUnder(made, contact, tip, 50)!;
    expect(u_t[0]).toBeCloseTo(0.4, 9);
    expect(u_t[1]).toBeCloseTo(0.7, 9);
  });
});
