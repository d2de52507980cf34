// What is under the pointer: a body that can be pulled, or the tip of a velocity arrow. Distances are those of the
// picture, so the same rules hold in the plane and in space.
import type { Drawing, Grip, Part, Place } from '../types';
import type { Camera } from './camera';
import { between, minus, dot, plus, type Contact, type Pixel } from './places';

export const reach = 8;  // [px] around what can be gripped

export interface Hit {
  grip: Grip;
  place: Place;      // the gripped point
  distance: number;  // [px] from the pointer to the drawn outline; 0: inside
}

function canBePulled(part: Part): boolean {
  return part === 'body' || part === 'linkage';
}

// The part along a → b that is nearest to p, and the distance.
export function nearest(p: Pixel, a: Pixel, b: Pixel): { along: number; distance: number } {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = dx * dx + dy * dy;
  const free = length > 0 ? ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length : 0;
  const along = Math.max(0, Math.min(1, free));
  return { along, distance: Math.hypot(p[0] - a[0] - along * dx, p[1] - a[1] - along * dy) };
}

// Even-odd rule.
export function inside(p: Pixel, corners: Pixel[]): boolean {
  let odd = false;
  for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
    const [a, b] = [corners[i]!, corners[j]!];
    if (a[1] > p[1] !== b[1] > p[1] && p[0] < ((b[0] - a[0]) * (p[1] - a[1])) / (b[1] - a[1]) + a[0]) odd = !odd;
  }
  return odd;
}

function strokeHit(drawing: Drawing, index: number, camera: Camera, pointer: Pixel): Hit | null {
  const stroke = drawing.strokes[index]!;
  const pixels = stroke.points.map((place) => camera.project(place));
  const count = stroke.closed ? pixels.length : pixels.length - 1;
  let best: Hit | null = null;
  for (let segment = 0; segment < count; ++segment) {
    const next = (segment + 1) % pixels.length;
    const { along, distance } = nearest(pointer, pixels[segment]!, pixels[next]!);
    const outside = Math.max(0, distance - (stroke.width * camera.scale) / 2);
    if (best && outside >= best.distance) continue;
    best = { grip: { stroke: index, segment, along }, place: between(stroke.points[segment]!, stroke.points[next]!, along), distance: outside };
  }
  // Anywhere in a filled polygon: the grip is the nearest point of its edge, and the pull keeps the offset to it.
  if (best && stroke.closed && inside(pointer, pixels)) best.distance = 0;
  return best;
}

function ballHit(drawing: Drawing, index: number, camera: Camera, pointer: Pixel): Hit {
  const ball = drawing.balls[index]!;
  const [x, y] = camera.project(ball.centre);
  const distance = Math.max(0, Math.hypot(pointer[0] - x, pointer[1] - y) - ball.radius * camera.scale);
  return { grip: { ball: index }, place: ball.centre, distance };
}

// The nearest body within reach; the later one of two, because it is drawn on top.
export function bodyUnder(drawing: Drawing, camera: Camera, pointer: Pixel): Hit | null {
  let best: Hit | null = null;
  const consider = (hit: Hit | null) => {
    if (hit && hit.distance <= reach && (!best || hit.distance <= best.distance)) best = hit;
  };
  drawing.strokes.forEach((stroke, index) => canBePulled(stroke.part) && consider(strokeHit(drawing, index, camera, pointer)));
  drawing.balls.forEach((ball, index) => canBePulled(ball.part) && consider(ballHit(drawing, index, camera, pointer)));
  return best;
}

// A good place to grip the first body: three quarters along its first edge, away from most contacts and joints.
export function firstGrip(drawing: Drawing): Place | null {
  const stroke = drawing.strokes.find((one) => one.part === 'body') ?? drawing.strokes.find((one) => one.part === 'linkage');
  if (stroke && stroke.points.length > 1) {
    const [a, b] = [stroke.points[0]!, stroke.points[1]!];
    const touching = drawing.contacts.some((contact) => dot(minus(contact.at, b), minus(contact.at, b)) < dot(minus(contact.at, a), minus(contact.at, a)));
    return between(a, b, touching ? 0.25 : 0.75);
  }
  return drawing.balls.find((ball) => canBePulled(ball.part))?.centre ?? null;
}

// The tangential velocity whose arrow would end under the pointer; null where the surface is seen edge on.
export function slipUnder(camera: Camera, contact: Contact, pointer: Pixel, pixelsPerUnit: number): number[] | null {
  const tip = camera.space ? camera.onPlane(pointer, contact.at, contact.normal) : camera.unproject(pointer, contact.at);
  if (!tip) return null;
  const arrow = plus([0, 0, 0], camera.scale / pixelsPerUnit, minus(tip, contact.at));
  return contact.tangents.map((tangent) => dot(arrow, tangent));
}
