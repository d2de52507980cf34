// Vectors of the world, [m] or of whatever unit the caller gives them: the few operations that the drawings need.
import type { Drawing, Place } from '../types';

export type Contact = Drawing['contacts'][number];
export type Pixel = [number, number];  // CSS pixels of an element, y downwards

export function plus(a: Place, factor: number, b: Place): Place {
  return [a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]];
}

export function minus(a: Place, b: Place): Place {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function dot(a: Place, b: Place): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Place, b: Place): Place {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function norm(a: Place): number {
  return Math.hypot(a[0], a[1], a[2]);
}

export function between(a: Place, b: Place, part: number): Place {
  return plus(a, part, minus(b, a));
}

// Components of one contact, tangents first and normal last, as a vector of the world.
export function inWorld(contact: Contact, stacked: number[], index: number): Place {
  const rows = contact.tangents.length + 1;
  let sum: Place = [0, 0, 0];
  contact.tangents.forEach((tangent, row) => (sum = plus(sum, stacked[index * rows + row] ?? 0, tangent)));
  return plus(sum, stacked[index * rows + rows - 1] ?? 0, contact.normal);
}
