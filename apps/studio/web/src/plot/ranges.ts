// What the axes of a plot show: the data that have a place there, with a little room, and ends that make sense for no
// data, one point, a constant. As painleve/figure/plot_ranges.cpp.
import type { AxisData, PlotData, PlotLayer } from '../types';

export interface Range {
  from: number;
  to: number;
}
export interface View {
  x: Range;
  y: Range;
}

type Numbers = ([number, number] | null)[];

function pointsOf(layer: PlotLayer): Numbers {
  switch (layer.kind) {
    case 'curve': return layer.points;
    case 'region': return layer.corners;
    case 'arrow': return [layer.from, layer.to];
    case 'note': return [layer.at];
    case 'rule': return [];
  }
}

function valuesAlong(plot: PlotData, horizontal: boolean): number[] {
  const values: number[] = [];
  for (const layer of plot.layers) {
    if (layer.kind === 'rule' && layer.vertical === horizontal) values.push(layer.at);
    for (const point of pointsOf(layer)) {
      if (point && point.every(Number.isFinite)) values.push(point[horizontal ? 0 : 1]);
    }
  }
  return values;
}

const toScale = (value: number, axis: AxisData) => (axis.scale === 'linear' ? value : Math.log10(value));
const fromScale = (value: number, axis: AxisData) => (axis.scale === 'linear' ? value : 10 ** value);

// In the units of the scale.
function roomy(low: number, high: number, axis: AxisData): Range {
  const widest = Math.max(Math.abs(low), Math.abs(high));
  // Rounding noise on a constant is not a shape.
  if (high - low <= Math.max(1e-13 * widest, 1e-290)) {
    const half = axis.scale === 'logarithmic' ? 0.5 : widest === 0 ? 1 : 0.1 * widest;
    return { from: low - half, to: high + half };
  }
  const room = 0.04 * (high - low);
  return { from: low - room, to: high + room };
}

export function shownRange(plot: PlotData, horizontal: boolean): Range {
  const axis = horizontal ? plot.x : plot.y;
  if (axis.from !== null && axis.to !== null && axis.from !== axis.to) return { from: axis.from, to: axis.to };
  const shown = valuesAlong(plot, horizontal).filter((value) => axis.scale === 'linear' || value > 1e-290);
  let low = shown.reduce((a, b) => Math.min(a, b), Infinity);
  let high = shown.reduce((a, b) => Math.max(a, b), -Infinity);
  // Data beyond an end that was given do not count.
  if (axis.from !== null) [low, high] = [axis.from, Math.max(axis.from, high)];
  if (axis.to !== null) [low, high] = [Math.min(axis.to, low), axis.to];
  if (low > high) return axis.scale === 'linear' ? { from: 0, to: 1 } : { from: 1, to: 10 };
  const free = roomy(toScale(low, axis), toScale(high, axis), axis);
  return { from: axis.from ?? fromScale(free.from, axis), to: axis.to ?? fromScale(free.to, axis) };
}

// The range shown after zooming by `factor` (< 1: closer) about the share `at` of it, and moving by the share `by`.
export function movedRange(range: Range, axis: AxisData, at: number, factor: number, by = 0): Range {
  const [a, b] = [toScale(range.from, axis), toScale(range.to, axis)];
  const fixedPoint = a + at * (b - a);
  const shift = by * (b - a);
  const from = fixedPoint + factor * (a - fixedPoint) + shift;
  const to = fixedPoint + factor * (b - fixedPoint) + shift;
  // Beyond this, doubles have no digits left to tell the ends apart, or no size.
  const widest = Math.max(Math.abs(from), Math.abs(to));
  if (!(Math.abs(to - from) > 1e-12 * widest) || !(widest < (axis.scale === 'linear' ? 1e280 : 280))) return range;
  return { from: fromScale(from, axis), to: fromScale(to, axis) };
}
