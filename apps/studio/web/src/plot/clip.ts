// What of a line or a polygon lies in a rectangle. Done here and not by the browser: points far outside (a force of
// 1e30 N) would be rounded away by it, and an exported picture needs no clip paths.
export type Point = [number, number];

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function inside(box: Box, [x, y]: Point): boolean {
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

// The part of a segment in the box, as shares of its length; null: none (Liang and Barsky).
function shares(a: Point, b: Point, box: Box): [number, number] | null {
  let from = 0;
  let to = 1;
  const bounds: [number, number, number][] = [
    [a[0], b[0], box.left], [-a[0], -b[0], -box.right], [a[1], b[1], box.top], [-a[1], -b[1], -box.bottom],
  ];
  for (const [p, q, least] of bounds) {
    if (p < least && q < least) return null;
    const at = (least - p) / (q - p);
    if (p < least) from = Math.max(from, at);
    else if (q < least) to = Math.min(to, at);
  }
  return from <= to ? [from, to] : null;
}

function along(a: Point, b: Point, part: number): Point {
  return part === 0 ? a : part === 1 ? b : [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])];
}

// Pieces of a line in the box; null and points that are no numbers break it.
export function clippedLine(points: (Point | null)[], box: Box): Point[][] {
  const pieces: Point[][] = [];
  let piece: Point[] = [];
  const finish = () => {
    if (piece.length > 1) pieces.push(piece);
    piece = [];
  };
  for (let i = 1; i < points.length; ++i) {
    const a = points[i - 1];
    const b = points[i];
    const whole = a && b && [...a, ...b].every(Number.isFinite);
    const part = whole ? shares(a, b, box) : null;
    if (!a || !b || !part) {
      finish();
      continue;
    }
    if (piece.length === 0 || part[0] > 0) {
      finish();
      piece.push(along(a, b, part[0]));
    }
    piece.push(along(a, b, part[1]));
  }
  finish();
  return pieces;
}

// The part of a polygon in the box (Sutherland and Hodgman).
export function clippedPolygon(corners: Point[], box: Box): Point[] {
  const sides: { inner: (p: Point) => number }[] = [
    { inner: (p) => p[0] - box.left }, { inner: (p) => box.right - p[0] },
    { inner: (p) => p[1] - box.top }, { inner: (p) => box.bottom - p[1] },
  ];
  let polygon = corners.filter((corner) => corner.every(Number.isFinite));
  for (const { inner } of sides) {
    const kept: Point[] = [];
    polygon.forEach((b, i) => {
      const a = polygon.at(i - 1)!;
      const [d, e] = [inner(a), inner(b)];
      if ((d < 0) !== (e < 0)) kept.push(along(a, b, d / (d - e)));
      if (e >= 0) kept.push(b);
    });
    polygon = kept;
  }
  return polygon;
}

const rounded = (value: number) => Math.round(value * 100) / 100;

// The `d` of a path. Points nearer than a third of a pixel to the one before are left out, ends excepted.
export function pathOf(pieces: Point[][], closed = false): string {
  let path = '';
  for (const piece of pieces) {
    let last: Point | null = null;
    piece.forEach((point, i) => {
      const end = i === 0 || i === piece.length - 1;
      if (!end && last && Math.hypot(point[0] - last[0], point[1] - last[1]) < 0.33) return;
      path += `${i === 0 ? 'M' : 'L'}${rounded(point[0])} ${rounded(point[1])}`;
      last = point;
    });
    if (closed && piece.length > 0) path += 'Z';
  }
  return path;
}
