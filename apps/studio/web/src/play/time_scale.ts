// From time to the place on the time axis and back: even, or logarithmic on both sides of an event.
//
// Around an event at t_e, with d = t − t_e and the smallest resolved distance δ,
//
//   x = sign(d) (g + log10(|d|/δ))  for |d| ≥ δ,     x = g d/δ  within,
//
// so that the event itself is at 0, each decade of the distance takes 1, and the axis is one piece: the half width g of
// the middle holds what the data do not resolve.
import { scaleLinear } from 'd3-scale';

export interface Tick {
  x: number;
  text: string;
}

export interface TimeScale {
  event: number | null;  // [s] the time that the axis is about; null: an even axis
  from: number;          // ends of the axis, in x
  to: number;
  label: string;
  toX: (t: number) => number;
  toT: (x: number) => number;
  ticks: (most: number) => Tick[];  // about that many, never more than twice
}

const middle = 0.5;  // g
const raised: Record<string, string> = { '-': '⁻', '0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹' };

export function power(exponent: number): string {
  return `10${[...String(exponent)].map((sign) => raised[sign]).join('')}`;
}

export function evenScale(t0: number, t1: number): TimeScale {
  const to = t1 > t0 ? t1 : t0 + 1e-3;
  return {
    event: null,
    from: t0,
    to,
    label: 't [s]',
    toX: (t) => t,
    toT: (x) => x,
    ticks: (most) => {
      const scale = scaleLinear().domain([t0, to]);
      const text = scale.tickFormat(most);
      return scale.ticks(most).map((x) => ({ x, text: text(x).replace('-', '−') }));
    },
  };
}

// The distance to the next greater number: below a few of these, a difference of times is rounding.
export function spacing(t: number): number {
  const size = Math.max(Math.abs(t), 1e-300);
  return 2 ** (Math.floor(Math.log2(size)) - 52);
}

// δ: the smallest distance from the event at which there are data, not counting those at the event itself.
export function smallestDistance(event: number, times: Iterable<number>): number | null {
  const rounding = 8 * spacing(event);
  let least = Infinity;
  for (const t of times) {
    const distance = Math.abs(t - event);
    if (distance > rounding && distance < least) least = distance;
  }
  return least === Infinity ? null : least;
}

// |x| of a distance from the event.
function widthOf(delta: number, distance: number): number {
  return distance < delta ? (middle * distance) / delta : middle + Math.log10(distance / delta);
}

function decadeTicks(delta: number, before: number, after: number, most: number): Tick[] {
  const low = Math.ceil(Math.log10(delta) - 1e-9);
  const decades = (distance: number) => Math.max(0, Math.floor(Math.log10(Math.max(distance, delta)) + 1e-9) - low + 1);
  const every = Math.max(1, Math.ceil((decades(before) + decades(after)) / Math.max(1, most)));
  const place = (k: number) => middle + k - Math.log10(delta);
  const room = (0.75 * (widthOf(delta, before) + widthOf(delta, after))) / Math.max(1, most);  // for the mark of the event
  const side = (distance: number, sign: 1 | -1) => {
    const ticks: Tick[] = [];
    for (let k = Math.max(low, Math.ceil(room - place(0) - 1e-9)); k < low + decades(distance); k += every) {
      ticks.push({ x: sign * place(k), text: `${sign > 0 ? '+' : '−'}${power(k)}` });
    }
    return ticks;
  };
  return [...side(before, -1).reverse(), { x: 0, text: '0' }, ...side(after, 1)];
}

export function logarithmicScale(event: number, delta: number, t0: number, t1: number): TimeScale {
  const toX = (t: number) => Math.sign(t - event) * widthOf(delta, Math.abs(t - event));
  const toT = (x: number) => {
    const size = Math.abs(x);
    const distance = size < middle ? (size / middle) * delta : delta * 10 ** (size - middle);
    return Math.min(t1, Math.max(t0, event + Math.sign(x) * distance));
  };
  return {
    event,
    from: Math.min(toX(t0), -middle / 2),
    to: Math.max(toX(t1), middle / 2),
    label: `t − ${Number(event.toPrecision(6))} s [s], logarithmic`,
    toX,
    toT,
    ticks: (most) => decadeTicks(delta, event - t0, t1 - event, most),
  };
}
