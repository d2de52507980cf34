// Round numbers along an axis, and how they are written.
import { scaleLinear } from 'd3-scale';
import type { AxisData } from '../types';

export interface Tick {
  at: number;     // in data units
  label: string;  // '': a small tick
}
export interface AxisTicks {
  ticks: Tick[];
  exponent: number;  // power of ten taken out of the labels
}

function withTrueMinus(text: string): string {
  return text.replace('-', '−');
}

function fixed(value: number, decimals: number): string {
  const text = value.toFixed(Math.min(15, Math.max(0, decimals)));
  return /^-?0(\.0*)?$/.test(text) ? text.replace('-', '') : withTrueMinus(text);
}

function decadeOf(value: number): number {
  return Math.floor(Math.log10(value) + 1e-9);
}

const angles = [15, 30, 45, 90, 180, 360, 720];

// Multiples of 1, 2 or 5 times a power of ten; on axes in degrees also of 15, 30, 45, 90.
function roundNumbers(from: number, to: number, count: number, degrees: boolean): number[] {
  const wanted = Math.abs(to - from) / Math.max(count, 1);
  if (!degrees || wanted <= 8 || wanted >= 1000) return scaleLinear().domain([from, to]).ticks(count);
  const distance = (step: number) => Math.abs(Math.log(step / wanted));
  const step = angles.reduce((best, next) => (distance(next) < distance(best) ? next : best));
  const values: number[] = [];
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  for (let k = Math.ceil(low / step - 1e-9); k <= high / step + 1e-9; ++k) values.push(k * step);
  return values;
}

function stepOf(values: number[]): number {
  return values.length > 1 ? Math.abs(values[1]! - values[0]!) : Math.abs(values[0] ?? 1) || 1;
}

function linearTicks(axis: AxisData, from: number, to: number, count: number): AxisTicks {
  const values = roundNumbers(axis.factor * from, axis.factor * to, count, axis.unit === 'deg' || axis.unit === '°');
  const largest = Math.max(0, ...values.map(Math.abs));
  const decade = largest === 0 ? 0 : decadeOf(largest);
  const step = decadeOf(stepOf(values));
  let exponent = decade >= 5 || decade <= -3 ? decade : 0;
  // Far from nought with a narrow range, 123456.1 reads better than 1.234561 times a power.
  if (exponent - step > 3 && Math.abs(exponent) < 8) exponent = 0;
  // 1.5·10³ and not 1500·10⁰: dividing by a power with a positive exponent rounds once.
  const scaled = (value: number) => (exponent < 0 ? value * 10 ** -exponent : value / 10 ** exponent);
  const ticks = values.map((value) => ({ at: value / axis.factor, label: fixed(scaled(value), exponent - step) }));
  return { ticks, exponent };
}

function powerLabel(mantissa: number, exponent: number, plain: boolean): string {
  if (plain) return fixed(mantissa * 10 ** exponent, Math.max(0, -exponent));
  const power = `10^{${withTrueMinus(String(exponent))}}`;
  return mantissa === 1 ? power : `${mantissa}·${power}`;
}

// Decades, and small ticks at the other mantissas; 1, 2 and 5 are named where there are few decades.
function logarithmicTicks(axis: AxisData, from: number, to: number, count: number): AxisTicks {
  const low = axis.factor * Math.min(from, to);
  const high = axis.factor * Math.max(from, to);
  const [first, last] = [decadeOf(low), decadeOf(high)];
  const decades = Math.log10(high) - Math.log10(low);
  const stride = Math.max(1, Math.ceil(decades / Math.max(count, 1)));
  const plain = first >= -2 && last <= 3;
  const ticks: Tick[] = [];
  for (let exponent = first; exponent <= last; ++exponent) {
    for (let mantissa = 1; mantissa <= (stride > 2 ? 1 : 9); ++mantissa) {
      const value = exponent < 0 ? mantissa / 10 ** -exponent : mantissa * 10 ** exponent;
      if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) continue;
      const named = mantissa === 1 ? exponent % stride === 0 : decades < 2.2 && (mantissa === 2 || mantissa === 5);
      ticks.push({ at: value / axis.factor, label: named ? powerLabel(mantissa, exponent, plain) : '' });
    }
  }
  return { ticks, exponent: 0 };
}

export function axisTicks(axis: AxisData, from: number, to: number, count: number): AxisTicks {
  if (axis.ticks.length > 0) {
    const [low, high] = [Math.min(from, to), Math.max(from, to)];
    const ticks = axis.ticks.filter(([at]) => at >= low && at <= high).map(([at, label]) => ({ at, label }));
    return { ticks, exponent: 0 };
  }
  if (axis.scale === 'logarithmic' && axis.factor > 0) {
    const powers = logarithmicTicks(axis, from, to, count);
    if (powers.ticks.filter((tick) => tick.label).length >= 2) return powers;
  }
  return linearTicks(axis, from, to, count);
}

export function axisTitle(axis: AxisData, exponent: number): string {
  const power = exponent === 0 ? '' : `10^{${withTrueMinus(String(exponent))}}`;
  const bracket = [power, axis.unit === '1' ? '' : axis.unit].filter(Boolean).join(' ');
  return [axis.label, bracket && `[${bracket}]`].filter(Boolean).join(' ');
}
