// What the plots draw: samples as they are, on a time axis that the plotting library accepts.
//
// It needs strictly rising x, and an impact gives two samples at one time. The second one moves on by the two smallest
// steps a number can take, which no picture shows, and the step between holds a gap: no value is made up. What is seen
// is an upright stroke of no width.
import type { TimeScale } from './time_scale';
import type { Branch, Values } from './tracks';

export interface Axis {
  x: number[];
  sample: number[];  // index of the sample at each x; −1: a break
}

const word = new DataView(new ArrayBuffer(8));

// The next greater number.
export function nextUp(x: number): number {
  if (x === 0) return Number.MIN_VALUE;
  word.setFloat64(0, x);
  word.setBigInt64(0, word.getBigInt64(0) + (x > 0 ? 1n : -1n));
  return word.getFloat64(0);
}

function sameSample(branch: Branch, a: number, b: number): boolean {
  const same = (rows: Values[]) => rows.every((row) => row[a] === row[b]);
  return branch.energy[a] === branch.energy[b] && same(branch.gap) && same(branch.u) && same(branch.lambda);
}

// On a logarithmic axis, samples further apart than a factor of about 3 in their distance to the event are not joined:
// nothing is known of what lies between.
const farApart = 0.45;  // decades

// Of the samples from `first` on. A sample that only repeats the one before it is left out. `modes`: the curve also
// breaks where the mode changes, for forces of rigid contacts, which follow the mode.
export function axisOf(branch: Branch, scale: TimeScale, first = 0, modes = false): Axis {
  const axis: Axis = { x: [], sample: [] };
  const put = (x: number, sample: number) => {
    const last = axis.x.at(-1);
    axis.x.push(last !== undefined && x <= last ? nextUp(last) : x);
    axis.sample.push(sample);
  };
  for (let k = first; k < branch.t.length; ++k) {
    const x = scale.toX(branch.t[k]!);
    const twice = k > first && branch.t[k] === branch.t[k - 1];
    if (twice && sameSample(branch, k - 1, k)) continue;
    const last = axis.x.at(-1);
    const apart = scale.event !== null && last !== undefined && x - last > farApart;
    if (twice || apart) put(twice ? x : last!, -1);
    else if (modes && k > first && branch.mode[k] !== branch.mode[k - 1]) put(axis.x.at(-1)!, -1);
    put(x, k);
  }
  return axis;
}

// `least`: on a logarithmic axis, the smallest value that is shown; null: an even axis.
export function columnOf(axis: Axis, values: Values, least: number | null): Values {
  return axis.sample.map((k) => {
    const value = k < 0 ? null : values[k] ?? null;
    return least !== null && value !== null && value < least ? null : value;
  });
}

export interface Curve {
  contact: number;   // −1: of the whole system
  component: number;  // tangent 0 or 1
  label: string;
  of: (branch: Branch) => Values;
}

export interface Quantity {
  key: 'gap' | 'u_n' | 'u_t' | 'lambda_n' | 'lambda_t' | 'energy';
  name: string;
  symbol: string;
  unit: string;
  least: number;  // in the unit: an axis never shows less than ± this, so that rounding is not blown up
  curves: Curve[];
}

function perContact(branch: Branch, of: (b: Branch, contact: number) => Values): Curve[] {
  return branch.contacts.map((label, contact) => ({ contact, component: 0, label, of: (b) => of(b, contact) }));
}

function tangents(branch: Branch, of: (b: Branch) => Values[]): Curve[] {
  const count = branch.rows - 1;
  return branch.contacts.flatMap((name, contact) =>
    Array.from({ length: Math.max(0, count) }, (_, component) => ({
      contact,
      component,
      label: count > 1 ? `${name} t${'₁₂'[component]}` : name,
      of: (b: Branch) => of(b)[contact * b.rows + component] ?? [],
    })),
  );
}

// Those that the run has: models without bodies have no energy, those without tangents no tangential part.
export function quantities(branch: Branch): Quantity[] {
  const normal = (rows: Values[], contact: number, b: Branch) => rows[contact * b.rows + b.rows - 1] ?? [];
  const all: Quantity[] = [
    { key: 'gap', name: 'gap', symbol: 'g', unit: 'm', least: 1e-9, curves: perContact(branch, (b, c) => b.gap[c] ?? []) },
    { key: 'lambda_n', name: 'normal force', symbol: 'λₙ', unit: 'N', least: 1e-9, curves: perContact(branch, (b, c) => normal(b.lambda, c, b)) },
    { key: 'u_n', name: 'normal velocity', symbol: 'uₙ', unit: 'm/s', least: 1e-9, curves: perContact(branch, (b, c) => normal(b.u, c, b)) },
    { key: 'lambda_t', name: 'tangential force', symbol: 'λₜ', unit: 'N', least: 1e-9, curves: tangents(branch, (b) => b.lambda) },
    { key: 'u_t', name: 'tangential velocity', symbol: 'uₜ', unit: 'm/s', least: 1e-9, curves: tangents(branch, (b) => b.u) },
    { key: 'energy', name: 'energy', symbol: 'E', unit: 'J', least: 1e-9, curves: energyCurves(branch) },
  ];
  return all.filter((quantity) => quantity.curves.length > 0);
}

function energyCurves(branch: Branch): Curve[] {
  if (branch.energy.every((value) => !value)) return [];
  return [{ contact: -1, component: 0, label: 'total', of: (b) => b.energy }];
}

// [smallest, largest] positive value, without what is zero up to rounding; null: none is positive.
function positiveRange(columns: Values[], zero: number): [number, number] | null {
  let most = 0;
  for (const column of columns) for (const value of column) if (value !== null && value > most) most = value;
  if (most === 0) return null;
  let least = most;
  for (const column of columns) for (const value of column) if (value !== null && value > Math.max(zero, 1e-12 * most) && value < least) least = value;
  return [least, most];
}

// Normal forces over more than three decades are read on a logarithmic axis, and gaps where time is logarithmic, too:
// its ends, or null for an even one. Gaps within the tolerance of a closed contact count as zero.
export function logarithmicRange(quantity: Quantity, branches: Branch[], scale: TimeScale): [number, number] | null {
  if (quantity.key !== 'lambda_n' && (quantity.key !== 'gap' || scale.event === null)) return null;
  const zero = quantity.key === 'gap' ? quantity.least : 0;
  const columns = branches.flatMap((branch) => quantity.curves.map((curve) => curve.of(branch)));
  // Springs are pressed in, which a logarithm would hide.
  if (quantity.key === 'gap' && columns.some((column) => column.some((value) => value !== null && value < -zero))) return null;
  const range = positiveRange(columns, zero);
  return range && range[1] > 1e3 * range[0] ? range : null;
}
