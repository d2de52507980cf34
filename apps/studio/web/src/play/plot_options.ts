// One linked plot as the plotting library wants it: data, scales, axes, and the thin lines of the events.
import uPlot from 'uplot';
import { format } from '../format';
import { branchColour, contactColour, dashes, type Palette } from './palette';
import { axisOf, columnOf, logarithmicRange, type Quantity } from './plot_data';
import { power, type TimeScale } from './time_scale';
import { leavingPiece, type Branch } from './tracks';

export interface PlotModel {
  quantity: Quantity;
  data: uPlot.AlignedData;
  series: uPlot.Series[];
  logarithmic: [number, number] | null;
}

// With one contact a curve has the colour of its branch; with several, those of the played branch tell the contacts.
export function curveColour(palette: Palette, played: Branch, contact: number, branches: number): string {
  return branches > 1 && played.contacts.length === 1 ? branchColour(palette, played.track) : contactColour(palette, contact);
}

function curveDash(contact: number, component: number): number[] {
  return dashes[(Math.max(0, contact) + component) % dashes.length]!;
}

// Samples with room beside them are shown as dots, so that a line between two of them is not taken for data; so are
// those between two breaks, which no line reaches.
function lonelySamples(plot: uPlot, series: number, show: boolean): number[] | null {
  if (!show) return null;
  const xs = plot.data[0];
  const values = plot.data[series]!;
  const room = 14 / Math.max(1, plot.over.clientWidth) * ((plot.scales['x']!.max ?? 1) - (plot.scales['x']!.min ?? 0));
  const own: number[] = [];  // what other curves have at other times is undefined
  for (let k = 0; k < values.length; ++k) if (values[k] !== undefined) own.push(k);
  const far = (a: number, b: number | undefined) => b === undefined || Math.abs(xs[a]! - xs[b]!) > room;
  const broken = (k: number | undefined) => k === undefined || values[k] === null;
  return own.filter((k, i) => {
    const [before, after] = [own[i - 1], own[i + 1]];
    if (values[k] === null) return false;
    return (broken(before) && broken(after)) || far(k, before) || far(k, after);
  });
}

export interface PlotScene {
  played: Branch;
  ghosts: Branch[];
  scale: TimeScale;
  palette: Palette;
  branches: number;  // tracks of the whole tree
  rigid: boolean;    // forces follow the modes
}

export function plotModel(quantity: Quantity, scene: PlotScene): PlotModel {
  const { played, ghosts, scale, palette, branches, rigid } = scene;
  const logarithmic = logarithmicRange(quantity, [played, ...ghosts], scale);
  const rigidForce = quantity.key.startsWith('lambda') && rigid;
  const tables: uPlot.AlignedData[] = [];
  const series: uPlot.Series[] = [{}];
  const add = (branch: Branch, first: number, strong: boolean) => {
    const axis = axisOf(branch, scale, first, rigidForce);
    tables.push([axis.x, ...quantity.curves.map((curve) => columnOf(axis, curve.of(branch), logarithmic?.[0] ?? null))] as uPlot.AlignedData);
    for (const curve of quantity.curves) {
      series.push({
        stroke: strong ? curveColour(palette, played, curve.contact, branches) : branchColour(palette, branch.track),
        width: strong ? 2 : 1,
        dash: curveDash(curve.contact, curve.component),
        points: strong ? { show: true, size: 5, filter: lonelySamples } : { show: false },
      });
    }
  };
  for (const ghost of ghosts) {
    const left = leavingPiece(played, ghost);
    if (left) add(ghost, left.first, false);
  }
  add(played, 0, true);
  return { quantity, data: tables.length === 1 ? tables[0]! : uPlot.join(tables), series, logarithmic };
}

function valueRange(model: PlotModel): uPlot.Range.Function {
  return (_plot, low, high) => {
    if (model.logarithmic) return [model.logarithmic[0] / 2, model.logarithmic[1] * 2];
    if (low === null || high === null || !Number.isFinite(low + high)) return [-1, 1];
    // Rounding is no news: flat lines stay flat.
    const size = Math.max(Math.abs(low), Math.abs(high));
    const least = Math.max(model.quantity.least, 1e-6 * size);
    const room = Math.max(0.06 * (high - low), least - (high - low) / 2);
    return [low - room, high + room];
  };
}

function eventLines(plot: uPlot, events: number[], scale: TimeScale, colour: string) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1;
  ctx.beginPath();
  let last = -Infinity;
  for (const t of events) {
    const x = Math.round(plot.valToPos(scale.toX(t), 'x', true)) + 0.5;
    if (x - last < 3) continue;
    last = x;
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
  }
  ctx.stroke();
  ctx.restore();
}

function timeAxis(scale: TimeScale, palette: Palette, labelled: boolean): uPlot.Axis {
  const ticksOf = (plot: uPlot) => scale.ticks(Math.max(2, Math.floor(plot.width / 70)));
  return {
    stroke: palette.faint,
    grid: { stroke: palette.line, width: 1 },
    ticks: { stroke: palette.line, size: 4 },
    font: '12px system-ui, sans-serif',
    size: 22,
    gap: 2,
    splits: (plot) => ticksOf(plot).map((tick) => tick.x),
    values: (plot) => ticksOf(plot).map((tick) => tick.text),
    ...(labelled ? { label: scale.label, labelSize: 18, labelGap: 0, labelFont: '12px system-ui, sans-serif' } : {}),
  };
}

// Powers of ten between two values, about `most` of them.
function decades(low: number, high: number, most: number): number[] {
  const from = Math.ceil(Math.log10(low));
  const to = Math.floor(Math.log10(high));
  const every = Math.max(1, Math.ceil((to - from + 1) / most));
  return Array.from({ length: Math.max(0, Math.floor((to - from) / every) + 1) }, (_, k) => 10 ** (from + k * every));
}

// As many digits as tell neighbouring ticks apart.
function tickText(value: number, step: number): string {
  if (Math.abs(value) < step / 1000) return '0';
  const digits = Math.floor(Math.log10(Math.abs(value))) - Math.floor(Math.log10(step) + 1e-9) + 1;
  return format(value, Math.max(2, digits));
}

function valueAxis(model: PlotModel, palette: Palette): uPlot.Axis {
  return {
    stroke: palette.faint,
    grid: { stroke: palette.line, width: 1 },
    ticks: { stroke: palette.line, size: 4 },
    font: '12px system-ui, sans-serif',
    size: (_plot, values) => Math.max(58, 11 + 6.6 * Math.max(0, ...(values ?? []).map((text) => text?.length ?? 0))),
    gap: 3,
    space: 24,
    ...(model.logarithmic
      ? {
          filter: (_plot, splits) => splits,
          splits: (plot, _axis, low, high) => decades(low, high, Math.max(2, plot.height / 40)),
          values: (_plot, splits) => splits.map((value) => power(Math.round(Math.log10(value)))),
        }
      : { values: (_plot, splits, _axis, _space, step) => splits.map((value) => tickText(value, step)) }),
  };
}

export interface PlotFrame {
  width: number;
  height: number;
  scale: TimeScale;
  palette: Palette;
  events: number[];
  labelled: boolean;  // names the time axis
}

export function plotOptions(model: PlotModel, frame: PlotFrame): uPlot.Options {
  const { scale, palette } = frame;
  return {
    width: frame.width,
    height: frame.height,
    legend: { show: false },
    padding: [6, 14, 0, 0],
    cursor: { sync: { key: 'play' }, points: { show: false }, drag: { setScale: false, x: false, y: false }, y: false },
    scales: {
      x: { time: false, range: [scale.from, scale.to] },
      y: { distr: model.logarithmic ? 3 : 1, range: valueRange(model) },
    },
    axes: [timeAxis(scale, palette, frame.labelled), valueAxis(model, palette)],
    series: model.series,
    hooks: { drawClear: [(plot) => eventLines(plot, frame.events, scale, palette.faint + (frame.events.length > 40 ? '22' : '55'))] },
  };
}
