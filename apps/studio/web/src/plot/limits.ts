// A study of limits as the page reads it: the report of `converge --json`, by meaning.
import type { LimitSettings } from '../state';
import { format } from '../format';

export interface LimitEntry {
  name: string;
  limit: number | null;
  error: number | null;
  order: number | null;
  logarithm: boolean;
  rigid: number | null;
}
export interface SeriesEntry {
  name: string;
  outcome: string;
  limits: LimitEntry[];
  future: number | null;
  future_reason?: string;
  restitution?: number | null;
  restitution_error?: number;
}
export interface FutureEntry {
  why: string;
  outcome: string;
}
export interface LimitReport {
  verdict: string;
  verdict_reason: string;
  expected: string;
  futures: FutureEntry[];
  series: SeriesEntry[];
}

function list<T>(value: unknown): T[] {
  return Array.isArray(value) ? (value as T[]) : [];
}

export function limitReport(report: Record<string, unknown>): LimitReport {
  return {
    verdict: String(report['verdict'] ?? 'undecided'),
    verdict_reason: String(report['verdict_reason'] ?? ''),
    expected: String(report['expected'] ?? ''),
    futures: list<FutureEntry>(report['futures']),
    series: list<SeriesEntry>(report['series']).map((series) => ({ ...series, limits: list<LimitEntry>(series.limits).filter(Boolean) })),
  };
}

export function quantities(report: LimitReport): string[] {
  return [...new Set(report.series.flatMap((series) => series.limits.map((limit) => limit.name)))];
}

// The one that tells the series apart best, as in the plots: the first normal impulse.
export function firstQuantity(names: string[]): string {
  return names.find((name) => name.startsWith('impulse_n')) ?? names[0] ?? '';
}

export function unitOf(quantity: string): string {
  if (quantity.startsWith('impulse')) return 'N s';
  if (quantity === 'energy') return 'J';
  return quantity === 't' ? 's' : '';
}

// "0.37288 ± 6e−4"
export function limitText(limit: LimitEntry | undefined): string {
  if (!limit || limit.limit === null) return '–';
  return limit.error === null ? format(limit.limit) : `${format(limit.limit)} ± ${format(limit.error, 2)}`;
}

export function orderText(limit: LimitEntry | undefined): string {
  if (!limit || limit.order === null) return '–';
  return `${format(limit.order, 3)}${limit.logarithm ? ', with a logarithm' : ''}`;
}

// "0: it lifts off"
// Springs rebound by their own damping: the limit is then that future with another restitution than the scene's.
export function restitutionText(series: SeriesEntry): string {
  if (series.restitution === null || series.restitution === undefined) return '';
  return `, with restitution ${format(series.restitution, 3)} ± ${format(series.restitution_error, 1)}`;
}

export function futureText(report: LimitReport, future: number | null): string {
  if (future === null) return '–';
  const rigid = report.futures[future];
  const words = rigid?.why || (report.futures.length === 1 ? 'the rigid motion' : '');
  return `${report.futures.length > 1 ? `${future}: ` : ''}${words}${rigid ? ` (ends in ${rigid.outcome.replaceAll('-', '−')})` : ''}`;
}

export const verdictWords: Record<string, string> = {
  'uniformly resolvable': 'All regularisations that were tried tend to the same motion: the rigid question has an answer.',
  'uniformly resolvable up to restitution': 'All regularisations tend to the same kind of motion, and differ only in how far an impact rebounds.',
  'depends on the regularisation': 'Different springs or steps tend to different motions: rigidity alone does not decide what happens.',
  undecided: 'The study does not decide it: a wider range or more values may.',
};

export function verdictColour(verdict: string): string {
  if (verdict.startsWith('uniformly')) return '#009E73';
  return verdict.startsWith('depends') ? '#CC79A7' : '#777777';
}

// What is studied when the kind of study changes.
export function usualStudy(of: LimitSettings['of']): Pick<LimitSettings, 'of' | 'from' | 'to' | 'count'> {
  return of === 'stiffness' ? { of, from: 1e4, to: 1e8, count: 5 } : { of, from: 1e-2, to: 1e-5, count: 4 };
}
