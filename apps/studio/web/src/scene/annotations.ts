// What is written over a drawing of the plane or of space: arrows at the contacts, names, scales, gravity.
import { format } from '../format';
import type { Place } from '../types';
import { pixelsPer, roundBelow, steadyScale, type ArrowScale } from './arrow_scale';
import type { Camera } from './camera';
import { isSchematic, movingContacts, placesToSee, type Figure } from './figure';
import type { Palette } from './palette';
import { arrow, disc, line, text, tipText } from './pen';
import { inWorld, norm, plus, type Pixel } from './places';

export interface Scales {
  force: ArrowScale;
  velocity: ArrowScale;
}

const still = 1e-9;  // [m/s], [N]: the tolerance of the analysis for rest; nothing to point at

// The length of the arrows in the legend; the longest in the picture is up to 2.5 times as long. Contacts without bodies
// stand side by side, 2 m of surface each.
function reference(figures: Figure[], camera: Camera): number {
  const room = 0.115 * Math.min(camera.width, camera.height);
  const patch = isSchematic(figures[0]!.drawing) ? 0.4 * camera.scale : room;
  return Math.max(24, Math.min(110, room, patch));
}

export function coneLength(figures: Figure[], camera: Camera): number {
  return 2.6 * reference(figures, camera);
}

function largest(figures: Figure[], stacked: (figure: Figure) => number[] | undefined): number {
  let size = 0;
  for (const figure of figures) {
    const components = stacked(figure);
    if (!components) continue;
    figure.drawing.contacts.forEach((contact, index) => (size = Math.max(size, norm(inWorld(contact, components, index)))));
  }
  return size;
}

export function scalesOf(figures: Figure[], camera: Camera, before: Scales | null): Scales {
  const length = reference(figures, camera);
  return {
    force: steadyScale(before?.force ?? null, largest(figures, (figure) => figure.forces), length),
    velocity: steadyScale(before?.velocity ?? null, largest(figures, (figure) => figure.velocities), length),
  };
}

// Where the arrow of a contact ends in the picture.
function tip(camera: Camera, at: Place, vector: Place, scale: ArrowScale): Pixel {
  return camera.project(plus(at, pixelsPer(scale) / camera.scale, vector));
}

// Tips of the velocity arrows by contact: handles where a velocity can be pulled; at rest they lie on the contact.
export function velocityTips(figure: Figure, camera: Camera, scales: Scales): { contact: number; at: Pixel }[] {
  const velocities = figure.velocities;
  if (!velocities) return [];
  return movingContacts(figure).map((index) => {
    const contact = figure.drawing.contacts[index]!;
    return { contact: index, at: tip(camera, contact.at, inWorld(contact, velocities, index), scales.velocity) };
  });
}

function drawArrows(
  context: CanvasRenderingContext2D, camera: Camera, figure: Figure, scale: ArrowScale, colours: Palette,
  kind: { stacked: number[]; contacts: number[]; colour: string; symbol: string; unit: string },
) {
  for (const index of kind.contacts) {
    const contact = figure.drawing.contacts[index]!;
    const vector = inWorld(contact, kind.stacked, index);
    const size = norm(vector);
    if (!(size > still) || !Number.isFinite(size)) continue;
    const from = camera.project(contact.at);
    const to = tip(camera, contact.at, vector, scale);
    arrow(context, from, to, kind.colour, 3);
    if (figure.opacity < 1) continue;
    tipText(context, from, to, `${kind.symbol} = ${format(size, 3)} ${kind.unit}`, kind.colour, colours);
  }
}

export function drawContactArrows(context: CanvasRenderingContext2D, camera: Camera, figure: Figure, scales: Scales, colours: Palette) {
  const all = figure.drawing.contacts.map((_, index) => index);
  if (figure.velocities) {
    const kind = { stacked: figure.velocities, contacts: movingContacts(figure), colour: colours.velocity, symbol: 'u', unit: 'm/s' };
    drawArrows(context, camera, figure, scales.velocity, colours, kind);
  }
  if (figure.forces) {
    const kind = { stacked: figure.forces, contacts: all, colour: colours.force, symbol: 'λ', unit: 'N' };
    drawArrows(context, camera, figure, scales.force, colours, kind);
  }
}

// The direction from a contact to its name: below the surface that it touches, else away from the other contacts.
function awayFrom(camera: Camera, figure: Figure, index: number, middle: Pixel): Pixel {
  const contact = figure.drawing.contacts[index]!;
  const at = camera.project(contact.at);
  const outwards: Pixel = [at[0] - middle[0], at[1] - middle[1]];
  const far = Math.hypot(...outwards);
  if (figure.closed?.[index] === false && far > 1) return [outwards[0] / far, outwards[1] / far];
  const below = camera.project(plus(contact.at, -1 / camera.scale, contact.normal));
  return [below[0] - at[0], below[1] - at[1]];
}

// Contacts at one place share a line.
export function drawNames(context: CanvasRenderingContext2D, camera: Camera, figure: Figure, colours: Palette) {
  const { contacts } = figure.drawing;
  const pixels = contacts.map((contact) => camera.project(contact.at));
  const mean = (k: 0 | 1) => pixels.reduce((sum, at) => sum + at[k], 0) / pixels.length;
  const middle: Pixel = [mean(0), mean(1)];
  const shown: { at: Pixel; away: Pixel; names: string }[] = [];
  contacts.forEach((contact, index) => {
    const at = pixels[index]!;
    const same = shown.find((other) => Math.hypot(other.at[0] - at[0], other.at[1] - at[1]) < 12);
    if (same) same.names += `, ${contact.name}`;
    else shown.push({ at, away: awayFrom(camera, figure, index, middle), names: contact.name });
  });
  for (const { at, away, names } of shown) {
    disc(context, at, 3.5, colours.ink);
    const align = away[0] > 0.5 ? 'left' : away[0] < -0.5 ? 'right' : 'center';
    const far = align === 'center' ? 20 : 12;
    text(context, [at[0] + far * away[0], at[1] + far * away[1]], names, colours.ink, colours, align);
  }
}

export function drawHandles(context: CanvasRenderingContext2D, tips: Pixel[], colours: Palette) {
  for (const at of tips) {
    disc(context, at, 5, colours.velocity);
    disc(context, at, 3, colours.paper);
  }
}

// Where a ghost is highest, its label.
export function drawLabel(context: CanvasRenderingContext2D, camera: Camera, figure: Figure, colours: Palette) {
  if (!figure.label) return;
  let top: Pixel | null = null;
  for (const place of placesToSee(figure.drawing)) {
    const at = camera.project(place);
    if (!top || at[1] < top[1]) top = at;
  }
  if (!top) return;
  const half = context.measureText(figure.label).width / 2 + 4;
  const x = Math.max(half, Math.min(camera.width - half, top[0]));
  text(context, [x, Math.max(20, top[1] - 12)], figure.label, figure.colour ?? colours.faint, colours, 'center', 'bottom');
}

function drawMetre(context: CanvasRenderingContext2D, camera: Camera, x: number, y: number, colours: Palette): number {
  const metres = roundBelow(110 / camera.scale);
  const length = metres * camera.scale;
  line(context, [[x, y - 4], [x, y], [x + length, y], [x + length, y - 4]], colours.faint, 1.5);
  const words = `${format(metres, 2)} m`;
  text(context, [x + length + 8, y - 1], words, colours.faint, colours);
  return x + length + 8 + context.measureText(words).width + 24;
}

const roomForScales = 140;  // [px] of height: in a lower picture they would lie on the mechanism

// At the bottom: one metre, one arrow of each kind.
export function drawLegend(context: CanvasRenderingContext2D, camera: Camera, figures: Figure[], scales: Scales, colours: Palette) {
  if (camera.height < roomForScales) return;
  const left = 16;
  let y = camera.height - 16;
  let x = left;
  const first = figures[0]!;
  if (!isSchematic(first.drawing)) x = drawMetre(context, camera, x, y, colours);
  const kinds = [
    { shown: first.forces && largest(figures, (figure) => figure.forces) > still, scale: scales.force, colour: colours.force, unit: 'N' },
    { shown: first.velocities && largest(figures, (figure) => figure.velocities) > still, scale: scales.velocity, colour: colours.velocity, unit: 'm/s' },
  ];
  for (const { shown, scale, colour, unit } of kinds) {
    if (!shown) continue;
    const words = `${format(scale.value, 2)} ${unit}`;
    const wide = scale.length + 8 + context.measureText(words).width;
    if (x > left && x + wide > camera.width - 4) [x, y] = [left, y - 20];
    arrow(context, [x, y], [x + scale.length, y], colour, 3);
    text(context, [x + scale.length + 8, y - 1], words, colour, colours);
    x += wide + 22;
  }
}

export function drawGravity(context: CanvasRenderingContext2D, camera: Camera, gravity: Place, colours: Palette) {
  const size = norm(gravity);
  if (!(size > 0)) return;
  const length = 40;
  const from = camera.project(camera.target);
  const to = camera.project(plus(camera.target, length / camera.scale / size, gravity));
  const middle: Pixel = [camera.width - 56, 48];
  const half: Pixel = [(to[0] - from[0]) / 2, (to[1] - from[1]) / 2];
  arrow(context, [middle[0] - half[0], middle[1] - half[1]], [middle[0] + half[0], middle[1] + half[1]], colours.faint, 2);
  // Above the arrow, where bodies seldom are.
  text(context, [middle[0], 15], `g = ${format(size, 3)} m/s²`, colours.faint, colours, 'center');
}

// Directions of the world in space, at the lower right.
export function drawTriad(context: CanvasRenderingContext2D, camera: Camera, colours: Palette) {
  const origin: Pixel = [camera.width - 46, camera.height - 40];
  const axes: [string, Place][] = [['x', [1, 0, 0]], ['y', [0, 1, 0]], ['z', [0, 0, 1]]];
  const centre = camera.project(camera.target);
  for (const [name, axis] of axes) {
    const end = camera.project(plus(camera.target, 26 / camera.scale, axis));
    const to: Pixel = [origin[0] + end[0] - centre[0], origin[1] + end[1] - centre[1]];
    arrow(context, origin, to, colours.faint, 1.5);
    text(context, [to[0] + 0.35 * (to[0] - origin[0]), to[1] + 0.35 * (to[1] - origin[1])], name, colours.faint, colours, 'center');
  }
}
