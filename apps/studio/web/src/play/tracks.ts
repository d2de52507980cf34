// The tree of futures, and one way through it: a branch is what happened from the start to the end of a track, so it
// begins with the samples of the tracks it came from, each up to where the next one leaves it.
import { format, modeText } from '../format';
import type { RunReport, SimulateResult, Track } from '../types';

export interface Piece {
  track: number;
  first: number;  // index of its first sample in the branch
  from: number;   // [s] where it begins
}

export type Values = (number | null)[];  // over the samples; null: not known

export interface Branch {
  track: number;   // its last track
  pieces: Piece[];  // root first
  contacts: string[];
  rows: number;
  t: number[];
  gap: Values[];
  u: Values[];
  lambda: Values[];
  energy: Values;
  mode: string[];
  events: Track['events'];
  eventTimes: number[];
  frames: Track['frames'];
  frameTimes: number[];
}

// Root first. A parent that is no earlier track ends the way: such a tree would not be one.
export function ancestry(tracks: Track[], track: number): number[] {
  const chain = [track];
  for (;;) {
    const last = chain[0]!;
    const parent = tracks[last]?.parent ?? -1;
    if (parent < 0 || parent >= last) return chain;
    chain.unshift(parent);
  }
}

export function children(tracks: Track[], track: number): number[] {
  return tracks.flatMap((other, index) => (other.parent === track ? [index] : []));
}

export function leaves(tracks: Track[]): number[] {
  return tracks.flatMap((_, index) => (children(tracks, index).length === 0 ? [index] : []));
}

// Where a chosen track branches, its first future is played.
export function leafBelow(tracks: Track[], track: number): number {
  const first = children(tracks, track)[0];
  return first === undefined ? track : leafBelow(tracks, first);
}

// Without samples (a run that branches at its very start) the children know.
export function beginning(tracks: Track[], track: number): number {
  const known = tracks[track]!;
  const first = known.t[0] ?? known.frames[0]?.t ?? known.events[0]?.t;
  if (first !== undefined) return first;
  const child = children(tracks, track)[0];
  return child === undefined ? 0 : beginning(tracks, child);
}

export function ending(tracks: Track[], track: number): number {
  const known = tracks[track]!;
  const last = known.t.at(-1) ?? known.frames.at(-1)?.t ?? known.events.at(-1)?.t;
  return last ?? beginning(tracks, track);
}

export function branchOf(tracks: Track[], track: number): Branch {
  const chain = ancestry(tracks, track);
  const model = tracks[track]!;
  const rows = (given: number[][]) => given.map((): Values => []);
  const branch: Branch = {
    track, pieces: [], contacts: model.contacts, rows: model.rows, t: [], gap: rows(model.gap), u: rows(model.u), lambda: rows(model.lambda),
    energy: [], mode: [], events: [], eventTimes: [], frames: [], frameTimes: [],
  };
  chain.forEach((index, depth) => {
    const next = chain[depth + 1];
    append(branch, tracks, index, next === undefined ? Infinity : beginning(tracks, next));
  });
  branch.eventTimes = branch.events.map((event) => event.t);
  branch.frameTimes = branch.frames.map((frame) => frame.t);
  return branch;
}

export function sampleAt(branch: Branch, t: number): number {
  return nearestIndex(branch.t, t, branch.eventTimes);
}

export function frameAt(branch: Branch, t: number): number {
  return nearestIndex(branch.frameTimes, t, branch.eventTimes);
}

function append(branch: Branch, tracks: Track[], index: number, until: number) {
  const piece = tracks[index]!;
  branch.pieces.push({ track: index, first: branch.t.length, from: beginning(tracks, index) });
  const count = piece.t.filter((t) => t <= until).length;
  const add = (all: Values[], given: number[][]) => all.forEach((row, k) => row.push(...(given[k] ?? []).slice(0, count)));
  branch.t.push(...piece.t.slice(0, count));
  add(branch.gap, piece.gap);
  add(branch.u, piece.u);
  add(branch.lambda, piece.lambda);
  branch.energy.push(...piece.energy.slice(0, count));
  branch.mode.push(...piece.mode.slice(0, count));
  branch.events.push(...piece.events.filter((event) => event.t <= until));
  branch.frames.push(...piece.frames.filter((frame) => frame.t <= until));
}

// The piece with which `other` leaves `branch`; null: it never does.
export function leavingPiece(branch: Branch, other: Branch): Piece | null {
  const shared = new Set(branch.pieces.map((piece) => piece.track));
  return other.pieces.find((piece) => !shared.has(piece.track)) ?? null;
}

// How many of these times, in rising order, are at most t.
function countUpTo(times: ArrayLike<number>, t: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const half = (low + high) >> 1;
    if (times[half]! <= t) low = half + 1;
    else high = half;
  }
  return low;
}

// The datum nearest to t, but none of an event that is still to come. Of several at one time it is the last, after the
// jump. −1: there are no data.
export function nearestIndex(times: ArrayLike<number>, t: number, events: ArrayLike<number> = []): number {
  const next = countUpTo(times, t);
  if (next === 0) return times.length ? 0 : -1;
  if (next === times.length) return next - 1;
  const event = events[countUpTo(events, t)];
  if (event !== undefined && times[next]! >= event) return next - 1;
  return times[next]! - t < t - times[next - 1]! ? next : next - 1;
}

export function extent(tracks: Track[]): [number, number] {
  const begins = tracks.map((_, index) => beginning(tracks, index));
  const ends = tracks.map((_, index) => ending(tracks, index));
  return [Math.min(...begins), Math.max(...ends)];
}

const stopWords: Record<string, string> = {
  t_end: 'goes on to',
  jam: 'jams at',
  inconsistent: 'has no continuation at',
  iwc: 'ends in an impact without collision at',
  budget: 'was given up at',
  interrupted: 'was stopped at',
  branched: 'branches at',
  merged: 'joins another branch at',
  collapsed: 'ends in ever shorter steps at',
};

export function endingWords(tracks: Track[], track: number): string {
  const known = tracks[track]!;
  const at = `${stopWords[known.stopped] ?? `${known.stopped} at`} t = ${format(ending(tracks, track))} s`;
  return known.outcome && known.stopped !== 'branched' ? `${at}, outcome ${modeText(known.outcome)}` : at;
}

// The report of each track. A track is the k-th child of its parent, as its report is the k-th of the futures.
export function reportOf(result: SimulateResult, track: number): RunReport | null {
  let report: RunReport | undefined = result.report;
  const chain = ancestry(result.tracks, track);
  for (let depth = 1; depth < chain.length; ++depth) {
    const futures = report?.['futures'] as RunReport[] | undefined;
    report = futures?.[children(result.tracks, chain[depth - 1]!).indexOf(chain[depth]!)];
  }
  return report ?? null;
}

export interface Ledger {
  initial: number;
  friction: number;
  impact: number;
  applied: number;
  final: number;
  defect: number;
  parts: number;  // tracks that it is the sum of
}

// From the start of the root to the end of the track; null where a report is missing.
export function ledgerOf(result: SimulateResult, track: number): Ledger | null {
  const chain = ancestry(result.tracks, track);
  const energies = chain.map((index) => reportOf(result, index)?.energy);
  if (energies.some((energy) => !energy)) return null;
  const moved = energies.filter((_, k) => k === energies.length - 1 || result.tracks[chain[k]!]!.t.length > 0);
  const sum = (key: string) => energies.reduce((total, energy) => total + (energy![key] ?? 0), 0);
  return {
    initial: energies[0]!['initial'] ?? 0,
    friction: sum('friction'),
    impact: sum('impact'),
    applied: sum('applied'),
    final: energies.at(-1)!['final'] ?? 0,
    defect: sum('defect'),
    parts: moved.length,
  };
}
