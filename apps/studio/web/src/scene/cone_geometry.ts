// The generalized friction cone cut by the tangent plane δu_n = 0, and the ray of the present slip.
import type { ContactAnalysis, Place } from '../types';

// δu per N s of normal impulse while the contact slips along e: W (−μ e, 1). Its last component is p(e).
export function slipRay(contact: ContactAnalysis, e: number[]): number[] {
  const { mu, W_tt, W_tn, W_nn } = contact;
  const tangent = W_tn.map((w, row) => w - mu * e.reduce((sum, x, column) => sum + W_tt[row]![column]! * x, 0));
  return [...tangent, W_nn - mu * e.reduce((sum, x, row) => sum + W_tn[row]! * x, 0)];
}

// The part of a convex polygon with z ≥ 0, or with z ≤ 0.
export function half(polygon: Place[], above: boolean): Place[] {
  const side = (place: Place) => (above ? place[2] : -place[2]);
  const kept: Place[] = [];
  if (!polygon.some((place) => side(place) > 0)) return kept;
  polygon.forEach((b, index) => {
    const a = polygon[(index + polygon.length - 1) % polygon.length]!;
    if (side(a) >= 0 !== side(b) >= 0) {
      const part = side(a) / (side(a) - side(b));
      kept.push([a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), 0]);
    }
    if (side(b) >= 0) kept.push(b);
  });
  return kept;
}

// Triangles of the mantle from the apex to the rim, above or below the tangent plane.
export function mantle(rim: Place[], above: boolean): Place[] {
  const corners: Place[] = [];
  rim.forEach((a, index) => {
    const piece = half([[0, 0, 0], a, rim[(index + 1) % rim.length]!], above);
    for (let i = 1; i + 1 < piece.length; ++i) corners.push(piece[0]!, piece[i]!, piece[i + 1]!);
  });
  return corners;
}

// (t, n) as a point of the upright plane, (t1, t2, n) as one of space.
export function asPlace(components: number[]): Place {
  return components.length === 2 ? [components[0]!, 0, components[1]!] : [components[0]!, components[1]!, components[2]!];
}

export function reachesBelow(rim: number[][]): boolean {
  return rim.some((edge) => edge[edge.length - 1]! < 0);
}
