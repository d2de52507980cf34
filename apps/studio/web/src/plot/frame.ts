// The box of a plot from outside to inside: title, legend below, axis titles, tick labels; what is left is the area of
// the data. Lengths in CSS pixels.
import { scaleLinear, scaleLog, type ScaleContinuousNumeric } from 'd3-scale';
import type { AxisData, PlotData } from '../types';
import type { Box, Point } from './clip';
import { legendEntries, placedEntries, type PlacedEntry } from './legend';
import { textWidth } from './markup';
import { shownRange, type Range, type View } from './ranges';
import { axisTicks, axisTitle, type AxisTicks } from './ticks';

export type AxisScale = ScaleContinuousNumeric<number, number>;

export interface PlotFrame {
  area: Box;
  x: AxisScale;
  y: AxisScale;
  view: View;         // what is shown, in data units
  x_ticks: AxisTicks;
  y_ticks: AxisTicks;
  x_title: string;
  y_title: string;
  y_title_at: number;
  legend: PlacedEntry[];
  legend_top: number;
  at: (point: Point) => Point;      // data to pixels
  back: (pixel: Point) => Point;    // pixels to data
}

export const tickText = 13;
export const titleText = 14;
const tickLength = 5;
const leastSide = 40;

function scaleOf(axis: AxisData, range: Range, from: number, to: number): AxisScale {
  const scale = axis.scale === 'logarithmic' ? scaleLog() : scaleLinear();
  return scale.domain([range.from, range.to]).range([from, to]);
}

function widest(ticks: AxisTicks): number {
  return Math.max(0, ...ticks.ticks.map((tick) => textWidth(tick.label, tickText)));
}

// Labels side by side: whether two of them come closer than a few pixels.
function crowded(ticks: AxisTicks, scale: AxisScale): boolean {
  const spans = ticks.ticks
    .filter((tick) => tick.label)
    .map((tick) => [scale(tick.at), textWidth(tick.label, tickText) / 2] as const)
    .sort((a, b) => a[0] - b[0]);
  return spans.some(([at, half], i) => i > 0 && at - half < spans[i - 1]![0] + spans[i - 1]![1] + 8);
}

function ticksAlong(axis: AxisData, range: Range, scale: AxisScale, horizontal: boolean): AxisTicks {
  const [a, b] = scale.range() as [number, number];
  let count = Math.min(10, Math.max(2, Math.floor(Math.abs(b - a) / (horizontal ? 70 : 45))));
  let ticks = axisTicks(axis, range.from, range.to, count);
  while (horizontal && count > 1 && axis.ticks.length === 0 && crowded(ticks, scale)) {
    ticks = axisTicks(axis, range.from, range.to, --count);
  }
  return ticks;
}

// One unit as long on both axes: the axis with room to spare shows more where its ends are free, else the area shrinks.
function equalised(plot: PlotData, area: Box, view: View): { area: Box; view: View } {
  const unit = (size: number, range: Range) => size / Math.abs(range.to - range.from);
  const width = area.right - area.left;
  const height = area.bottom - area.top;
  const ratio = unit(width, view.x) / unit(height, view.y);
  const spareX = ratio > 1;
  const factor = spareX ? ratio : 1 / ratio;
  if (!(factor < 1000)) return { area, view };  // nobody reads a plot a thousand times longer than wide
  const axis = spareX ? plot.x : plot.y;
  if (axis.from === null && axis.to === null) {
    const range = spareX ? view.x : view.y;
    const more = ((factor - 1) * (range.to - range.from)) / 2;
    const wider = { from: range.from - more, to: range.to + more };
    return { area, view: spareX ? { ...view, x: wider } : { ...view, y: wider } };
  }
  const shrunk = { ...area };
  const spare = (spareX ? width : height) * (1 - 1 / factor);
  if (spareX) [shrunk.left, shrunk.right] = [area.left + spare / 2, area.right - spare / 2];
  else [shrunk.top, shrunk.bottom] = [area.top + spare / 2, area.bottom - spare / 2];
  return { area: shrunk, view };
}

interface Margins {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function inner(width: number, height: number, m: Margins): Box {
  return {
    left: m.left,
    top: m.top,
    right: Math.max(m.left + leastSide, width - m.right),
    bottom: Math.max(m.top + leastSide, height - m.bottom),
  };
}

// `zoomed`: what a person chose to see; null: all of it.
export function plotFrame(plot: PlotData, width: number, height: number, zoomed: View | null): PlotFrame {
  const whole: View = { x: shownRange(plot, true), y: shownRange(plot, false) };
  const legend = placedEntries(legendEntries(plot.layers), width - 24);
  const margins: Margins = { left: 60, right: 14, top: plot.title ? 28 : 10, bottom: 50 + legend.height };
  const measure = (view: View, area: Box) => {
    const x = scaleOf(plot.x, view.x, area.left, area.right);
    const y = scaleOf(plot.y, view.y, area.bottom, area.top);
    return { x, y, x_ticks: ticksAlong(plot.x, view.x, x, true), y_ticks: ticksAlong(plot.y, view.y, y, false) };
  };
  if (plot.frame) {
    const first = measure(zoomed ?? whole, inner(width, height, margins));
    // Rounded up to steps, so that the area stays where it is while tick labels change under a drag.
    margins.left = 12 * Math.ceil((widest(first.y_ticks) + tickLength + 30) / 12);
    margins.right = 12 + Math.ceil(textWidth(first.x_ticks.ticks.findLast((tick) => tick.label)?.label ?? '', tickText) / 2);
  } else {
    Object.assign(margins, { left: 8, right: 8, bottom: 8 + legend.height });
  }
  let area = inner(width, height, margins);
  let view = whole;
  const linear = plot.x.scale === 'linear' && plot.y.scale === 'linear';
  if (plot.equal_scales && linear) ({ area, view } = equalised(plot, area, whole));
  view = zoomed ?? view;
  const { x, y, x_ticks, y_ticks } = measure(view, area);
  return {
    area, x, y, view, x_ticks, y_ticks,
    x_title: axisTitle(plot.x, x_ticks.exponent),
    y_title: axisTitle(plot.y, y_ticks.exponent),
    y_title_at: area.left - tickLength - widest(y_ticks) - 12,
    legend: legend.entries,
    legend_top: height - legend.height - 2,
    at: ([px, py]) => [x(px), y(py)],
    back: ([px, py]) => [x.invert(px), y.invert(py)],
  };
}
