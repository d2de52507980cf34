// What the drawings are given, and how much of the world they take.
import type { Drawing, Place } from '../types';

// One posture: the present one, a ghost of another branch, a shot of what comes next.
export interface Figure {
  drawing: Drawing;
  opacity: number;            // 1: the present posture
  colour?: string;            // of its bodies; unset: as the theme has it
  forces?: number[];          // stacked over all contacts, tangents first [N]
  velocities?: number[];      // stacked likewise [m/s]
  mu?: number[];              // per contact: the friction cones; null or unset: none
  closed?: boolean[];         // per contact: cones of closed contacts only
  bilateral?: boolean[];      // per contact: held from both sides
  label?: string;
}

// Everything but the surfaces, which may reach far: what a camera must see.
export function placesToSee(drawing: Drawing): Place[] {
  const places: Place[] = [];
  for (const stroke of drawing.strokes) if (stroke.part !== 'surface') places.push(...stroke.points);
  for (const ball of drawing.balls) {
    if (ball.part === 'surface') continue;
    const [x, y, z] = ball.centre;
    const r = ball.radius;
    const deep = drawing.dimension === 3 ? r : 0;
    places.push([x - r, y - r, z - deep], [x + r, y + r, z + deep]);
  }
  for (const contact of drawing.contacts) places.push(contact.at);
  return places;
}

// Contacts whose velocity is worth an arrow: the closed ones, or all of them in flight.
export function movingContacts(figure: Figure): number[] {
  const all = figure.drawing.contacts.map((_, index) => index);
  const closed = all.filter((index) => figure.closed?.[index]);
  return closed.length > 0 ? closed : all;
}

export function isSchematic(drawing: Drawing): boolean {
  return drawing.strokes.every((stroke) => stroke.part === 'surface' || stroke.part === 'mark');
}
