// Bodies, springs, surfaces and friction cones of a figure on a 2D canvas.
//
//          ___/‾\___      bodies: as wide as they are, with a darker rim; linkages hollow, because they carry no mass
//   ______/_________\__   surfaces: a line, hatched on the side where no body is
//   / / / / / / / / / /
import type { Drawing, Place } from '../types';
import type { Camera } from './camera';
import type { Figure } from './figure';
import type { Palette } from './palette';
import { disc, fill, line, trace } from './pen';
import { plus, type Pixel } from './places';

const hatchSpacing = 10;  // [px]
const hatchLength = 9;
const farther = 1e4;      // times its length: beyond every picture

// The part of a → b inside the picture and a margin, as two parts of the segment; null: none.
export function visiblePart(a: Pixel, b: Pixel, width: number, height: number, margin = 20): [number, number] | null {
  let [from, to] = [0, 1];
  for (const [start, step, most] of [[a[0], b[0] - a[0], width], [a[1], b[1] - a[1], height]] as const) {
    if (step === 0) {
      if (start < -margin || start > most + margin) return null;
      continue;
    }
    const ends = [(-margin - start) / step, (most + margin - start) / step];
    from = Math.max(from, Math.min(...ends));
    to = Math.min(to, Math.max(...ends));
  }
  return from < to ? [from, to] : null;
}

// Hatches stand at fixed places of the world: they do not crawl when the ends of the surface move.
function hatch(context: CanvasRenderingContext2D, a: Pixel, b: Pixel, origin: Pixel, camera: Camera) {
  const seen = visiblePart(a, b, camera.width, camera.height);
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (!seen || length === 0) return;
  const [ux, uy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
  const start = (a[0] - origin[0]) * ux + (a[1] - origin[1]) * uy;
  const first = Math.ceil((start + seen[0] * length) / hatchSpacing);
  const last = Math.floor((start + seen[1] * length) / hatchSpacing);
  context.beginPath();
  for (let k = first; k <= last; ++k) {
    const s = k * hatchSpacing - start;
    const [x, y] = [a[0] + s * ux, a[1] + s * uy];
    context.moveTo(x, y);
    context.lineTo(x - hatchLength * (uy + 0.8 * ux), y + hatchLength * (ux - 0.8 * uy));
  }
  context.stroke();
}

// A straight floor goes on beyond the ends that the drawing gives it: these follow the bodies.
function surfacePoints(drawing: Drawing, points: Place[]): Place[] {
  const alone = drawing.strokes.filter((stroke) => stroke.part === 'surface').length === 1;
  if (!alone || points.length !== 2) return points;
  const along = plus(points[1]!, -1, points[0]!);
  return [plus(points[0]!, -farther, along), plus(points[1]!, farther, along)];
}

export function drawSurfaces(context: CanvasRenderingContext2D, camera: Camera, drawing: Drawing, colours: Palette) {
  const origin = camera.project([0, 0, 0]);
  for (const stroke of drawing.strokes) {
    if (stroke.part !== 'surface') continue;
    const pixels = (stroke.closed ? stroke.points : surfacePoints(drawing, stroke.points)).map((place) => camera.project(place));
    if (stroke.closed) pixels.push(pixels[0]!);
    context.strokeStyle = colours.surface;
    context.lineWidth = 1;
    const before = context.globalAlpha;
    context.globalAlpha = 0.55 * before;
    if (!camera.space) for (let i = 0; i + 1 < pixels.length; ++i) hatch(context, pixels[i]!, pixels[i + 1]!, origin, camera);
    context.globalAlpha = before;
    for (let i = 0; i + 1 < pixels.length; ++i) {
      const [a, b] = [pixels[i]!, pixels[i + 1]!];
      const seen = visiblePart(a, b, camera.width, camera.height);
      if (!seen) continue;
      const at = (part: number): Pixel => [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])];
      line(context, [at(seen[0]), at(seen[1])], colours.surface, 2);
    }
  }
  for (const ball of drawing.balls) {
    if (ball.part === 'surface') disc(context, camera.project(ball.centre), ball.radius * camera.scale, colours.surface);
  }
}

function drawStroke(context: CanvasRenderingContext2D, camera: Camera, stroke: Drawing['strokes'][number], figure: Figure, colours: Palette) {
  const pixels = stroke.points.map((place) => camera.project(place));
  const body = figure.colour ?? colours.body;
  const rim = figure.colour ?? colours.ink;
  const heavy = stroke.part === 'body';
  if (stroke.part === 'spring' || stroke.part === 'mark') {
    line(context, stroke.closed ? [...pixels, pixels[0]!] : pixels, rim, stroke.part === 'spring' ? 1.6 : 1);
    return;
  }
  if (stroke.closed) {
    fill(context, pixels, heavy ? body : colours.paper, 1);
    trace(context, pixels, true);
    context.strokeStyle = rim;
    context.lineWidth = 1.4;
    context.stroke();
    return;
  }
  const width = stroke.width * camera.scale;
  if (width < 3) {
    line(context, pixels, rim, heavy ? 2.5 : 1.5);
    return;
  }
  line(context, pixels, rim, width);
  line(context, pixels, heavy ? body : colours.paper, width - 2.4);
}

export function drawBodies(context: CanvasRenderingContext2D, camera: Camera, figure: Figure, colours: Palette) {
  const { drawing } = figure;
  for (const stroke of drawing.strokes) if (stroke.part !== 'surface') drawStroke(context, camera, stroke, figure, colours);
  for (const ball of drawing.balls) {
    if (ball.part === 'surface') continue;
    const mark = ball.part === 'mark';
    const radius = ball.radius * camera.scale;
    const shown = mark ? Math.max(2.5, Math.min(5, radius)) : Math.max(2, radius);
    const at = camera.project(ball.centre);
    disc(context, at, shown, figure.colour ?? colours.ink);
    disc(context, at, shown - 1.3, mark || ball.part === 'linkage' ? colours.paper : figure.colour ?? colours.body);
  }
}

// Two edges n ± μ t: a surface that only presses has its cone on the side of the body, whatever force a rejected mode
// would need. A contact held from both sides has the one on the side to which it is pressed.
export function drawCones(context: CanvasRenderingContext2D, camera: Camera, figure: Figure, length: number, colours: Palette) {
  figure.drawing.contacts.forEach((contact, index) => {
    const mu = figure.mu?.[index];
    if (mu === undefined || mu === null || figure.closed?.[index] === false) return;
    const rows = contact.tangents.length + 1;
    const pulls = figure.bilateral?.[index] === true && (figure.forces?.[index * rows + rows - 1] ?? 0) < 0;
    const height = ((pulls ? -1 : 1) * length) / Math.hypot(1, mu) / camera.scale;
    const top = plus(contact.at, height, contact.normal);
    const apex = camera.project(contact.at);
    const [left, right] = [-mu, mu].map((slope) => camera.project(plus(top, slope * height, contact.tangents[0]!)));
    fill(context, [apex, left!, right!], colours.cone, 0.16);
    line(context, [left!, apex, right!], colours.cone, 1.4, [5, 4]);
  });
}
