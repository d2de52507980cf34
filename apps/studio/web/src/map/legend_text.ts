// What the legend of a map says, for the page and for the exported picture.
import { formatWithUnit } from '../format';
import type { Legend } from './paint';

export function percent(share: number): string {
  if (share <= 0) return '0 %';
  if (share < 0.001) return '< 0.1 %';
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
}

// The ends of the ramp, marked where values lie beyond them.
export function rampEnds(legend: Legend, unit: string): [string, string] {
  if (legend.kind !== 'numbers') return ['', ''];
  const low = formatWithUnit(legend.low, unit, 4);
  const high = formatWithUnit(legend.high, unit, 4);
  return [legend.least < legend.low ? `≤ ${low}` : low, legend.most > legend.high ? `≥ ${high}` : high];
}

export function extremes(legend: Legend, unit: string): string {
  if (legend.kind !== 'numbers') return '';
  const scale = legend.logarithmic ? 'logarithmic; ' : '';
  return `${scale}least ${formatWithUnit(legend.least, unit)}, most ${formatWithUnit(legend.most, unit)}`;
}
