// Pens for 2D canvases: lines, arrows with heads, text that stays readable on whatever lies below.
import { fontFor, type Palette } from './palette';
import type { Pixel } from './places';

const head = 11;  // [px] length of an arrow's head

function dotsPerPixel(): number {
  return window.devicePixelRatio || 1;
}

// The canvas scaled to CSS pixels and empty, on paper where nothing lies below it: a picture that leaves the page takes
// its ground along, and the browser need not mix it with what it covers. For one canvas it is always paper or never.
export function begin(canvas: HTMLCanvasElement, width: number, height: number, paper: string | null): CanvasRenderingContext2D {
  const ratio = dotsPerPixel();
  const [columns, rows] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== columns) canvas.width = columns;
  if (canvas.height !== rows) canvas.height = rows;
  const context = canvas.getContext('2d', { alpha: paper === null })!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  if (paper) {
    context.fillStyle = paper;
    context.fillRect(0, 0, width, height);
  } else {
    context.clearRect(0, 0, width, height);
  }
  context.font = fontFor(Math.min(width, height));
  context.lineJoin = 'round';
  context.lineCap = 'round';
  return context;
}

export function trace(context: CanvasRenderingContext2D, points: Pixel[], closed = false) {
  context.beginPath();
  points.forEach(([x, y], index) => (index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  if (closed) context.closePath();
}

export function line(context: CanvasRenderingContext2D, points: Pixel[], colour: string, width: number, dash: number[] = []) {
  trace(context, points);
  context.strokeStyle = colour;
  context.lineWidth = width;
  if (dash.length > 0) context.setLineDash(dash);
  context.stroke();
  if (dash.length > 0) context.setLineDash([]);
}

export function fill(context: CanvasRenderingContext2D, points: Pixel[], colour: string, opacity: number) {
  const before = context.globalAlpha;
  trace(context, points, true);
  context.fillStyle = colour;
  context.globalAlpha = before * opacity;
  context.fill();
  context.globalAlpha = before;
}

export function disc(context: CanvasRenderingContext2D, [x, y]: Pixel, radius: number, colour: string) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
}

// The head shrinks with arrows that are shorter than it.
export function arrow(context: CanvasRenderingContext2D, from: Pixel, to: Pixel, colour: string, width: number, dash: number[] = []) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  if (length < 0.5) return;
  const size = Math.min(head, 0.75 * length);
  const [ux, uy] = [dx / length, dy / length];
  const neck: Pixel = [to[0] - 0.8 * size * ux, to[1] - 0.8 * size * uy];
  line(context, [from, neck], colour, width, dash);
  const half = 0.42 * size;
  const back: Pixel = [to[0] - size * ux, to[1] - size * uy];
  fill(context, [to, [back[0] - half * uy, back[1] + half * ux], [back[0] + half * uy, back[1] - half * ux]], colour, 1);
}

export function text(
  context: CanvasRenderingContext2D,
  [x, y]: Pixel,
  words: string,
  colour: string,
  colours: Palette,
  align: CanvasTextAlign = 'left',
  baseline: CanvasTextBaseline = 'middle',
) {
  context.textAlign = align;
  context.textBaseline = baseline;
  context.lineWidth = 4;
  context.strokeStyle = colours.paper;
  context.strokeText(words, x, y);
  context.fillStyle = colour;
  context.fillText(words, x, y);
}

// Words at the tip of an arrow, on the side to which it points; above (or below) a level one, which may lie on a surface.
// Never beyond the sides of the picture.
export function tipText(
  context: CanvasRenderingContext2D, from: Pixel, to: Pixel, words: string, colour: string, colours: Palette, gap = 7, below = false,
) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const level = Math.abs(uy) < 0.3;
  const upwards = level ? !below : uy < -0.7;
  const baseline = upwards ? 'bottom' : level || uy > 0.7 ? 'top' : 'middle';
  const wide = context.measureText(words).width;
  const sidewards = ux > 0.35 ? gap * ux : ux < -0.35 ? gap * ux - wide : gap * ux - wide / 2;
  const most = context.canvas.width / dotsPerPixel() - wide - 3;
  const x = Math.max(3, Math.min(most, to[0] + sidewards));
  text(context, [x, level ? to[1] + (below ? 7 : -7) : to[1] + gap * uy], words, colour, colours, 'left', baseline);
}
