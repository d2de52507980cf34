import { describe, expect, it } from 'vitest';
import type { AxisData, PlotData } from '../types';
import { plotFrame } from './frame';
import { movedRange, shownRange } from './ranges';
import { axisTicks, axisTitle } from './ticks';

const axis: AxisData = { label: 'gap', unit: 'm', from: null, to: null, scale: 'linear', ticks: [], factor: 1 };
const pen = { colour: '#222222', opacity: 1, width: 1, dash: 'solid' as const };

function plotOf(points: ([number, number] | null)[], change: Partial<PlotData> = {}): PlotData {
  const curve = { kind: 'curve' as const, points, pen, label: 'a', glyph: 'none', glyph_size: 4, line: true };
  return { title: '', x: axis, y: axis, layers: [curve], equal_scales: false, frame: true, ...change };
}

describe('ranges', () => {
  it('adds a little room, leaves out what a logarithm has no place for, and holds ends that are given', () => {
    expect(shownRange(plotOf([[0, 0], null, [100, 1]]), true)).toEqual({ from: -4, to: 104 });
    const decades = shownRange(plotOf([[1, 0], [100, 1e-300], [-5, 3]], { x: { ...axis, scale: 'logarithmic' } }), true);
    expect(decades.from).toBeCloseTo(10 ** -0.08, 12);
    expect(decades.to).toBeCloseTo(10 ** 2.08, 9);
    expect(shownRange(plotOf([[0, 0], [100, 1]], { x: { ...axis, from: -1 } }), true).from).toBe(-1);
  });

  it('gives one point and no point a place', () => {
    expect(shownRange(plotOf([[5, 0]]), true)).toEqual({ from: 4.5, to: 5.5 });
    expect(shownRange(plotOf([]), true)).toEqual({ from: 0, to: 1 });
  });

  it('zooms about the pointer, in decades on a logarithmic axis, and not beyond the digits of numbers', () => {
    expect(movedRange({ from: 0, to: 10 }, axis, 0.25, 0.5)).toEqual({ from: 1.25, to: 6.25 });
    const log = movedRange({ from: 1, to: 1e4 }, { ...axis, scale: 'logarithmic' }, 0.5, 0.5);
    expect(log.from).toBeCloseTo(10, 9);
    expect(log.to).toBeCloseTo(1000, 9);
    const tight = { from: 1, to: 1 + 1e-12 };
    expect(movedRange(tight, axis, 0.5, 0.5)).toEqual(tight);
  });
});

describe('ticks', () => {
  const labels = (a: AxisData, from: number, to: number, count: number) => axisTicks(a, from, to, count).ticks.map((tick) => tick.label);

  it('are round in the shown unit and placed in data units', () => {
    const degrees = { ...axis, unit: 'deg', factor: 180 / Math.PI };
    const found = axisTicks(degrees, 0, Math.PI / 2, 3);
    expect(found.ticks.map((tick) => tick.label)).toEqual(['0', '30', '60', '90']);
    expect(found.ticks[1]!.at).toBeCloseTo(Math.PI / 6, 12);
  });

  it('take a power of ten out of long labels', () => {
    const small = axisTicks(axis, -2e-6, 2e-6, 4);
    expect(small.exponent).toBe(-6);
    expect(small.ticks.map((tick) => tick.label)).toEqual(['−2', '−1', '0', '1', '2']);
    expect(axisTitle(axis, -6)).toBe('gap [10^{−6} m]');
    expect(labels(axis, 0, 0.3, 3)).toEqual(['0.0', '0.1', '0.2', '0.3']);
  });

  it('name decades', () => {
    const log = { ...axis, scale: 'logarithmic' as const };
    expect(labels(log, 1e4, 1e8, 6).filter(Boolean)).toEqual(['10^{4}', '10^{5}', '10^{6}', '10^{7}', '10^{8}']);
    expect(labels(log, 0.5, 20, 6).filter(Boolean)).toEqual(['0.5', '1', '2', '5', '10', '20']);
  });
});

describe('frame', () => {
  it('has one unit as long on both axes where that is asked', () => {
    for (const ends of [{}, { from: -1, to: 1 }]) {
      const plot = plotOf([[-1, -1], [1, 1]], { equal_scales: true, x: { ...axis, ...ends }, y: { ...axis, ...ends } });
      for (const [width, height] of [[800, 300], [300, 800]] as const) {
        const frame = plotFrame(plot, width, height, null);
        const [a, b] = [frame.at([0, 0]), frame.at([1, 1])];
        expect(b[0] - a[0]).toBeCloseTo(a[1] - b[1], 9);
        expect(frame.at([-1, -1])[0]).toBeGreaterThanOrEqual(frame.area.left - 1e-9);
      }
    }
  });

  it('takes pixels back to data', () => {
    const plot = plotOf([[1, 1], [1000, 5]], { x: { ...axis, scale: 'logarithmic' } });
    const frame = plotFrame(plot, 600, 400, null);
    const [x, y] = frame.back(frame.at([37, 2.5]));
    expect(x).toBeCloseTo(37, 9);
    expect(y).toBeCloseTo(2.5, 9);
    const zoomed = plotFrame(plot, 600, 400, { x: { from: 10, to: 100 }, y: { from: 2, to: 3 } });
    expect(zoomed.at([10, 2])).toEqual([zoomed.area.left, zoomed.area.bottom]);
  });
});
