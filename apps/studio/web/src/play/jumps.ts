// Impacts change velocities at once. A run has one sample at such a time, from before or from after; the other side is
// in the events of its report. It is put in as a sample of its own, with the velocities that are known there and
// nothing else, so that no curve crosses the jump on a slope.
import type { SimulateResult, Track } from '../types';
import { reportOf, type Values } from './tracks';

interface Side {
  u_n: number[];
  u_t: number[][];
}
interface Jump {
  t: number;
  mode: string;
  before: number[];  // stacked over all contacts, tangents first
  after: number[];
}

function stacked(side: Side): number[] {
  return side.u_n.flatMap((normal, contact) => [...(side.u_t[contact] ?? []), normal]);
}

export function jumpsOf(events: unknown[]): Jump[] {
  const read = events as { t: number; mode: string; before?: Side; after?: Side }[];
  return read.flatMap((event) => {
    if (!event.before || !event.after) return [];
    const [before, after] = [stacked(event.before), stacked(event.after)];
    return before.some((value, k) => value !== after[k]) ? [{ t: event.t, mode: event.mode, before, after }] : [];
  });
}

function distance(track: Track, sample: number, u: number[]): number {
  return Math.hypot(...u.map((value, k) => value - (track.u[k]?.[sample] ?? 0)));
}

function insertSample(track: Track, at: number, like: number, u: number[], mode: string) {
  const put = (row: Values, value: number | null) => void row.splice(at, 0, value);
  track.t.splice(at, 0, track.t[like]!);
  track.mode.splice(at, 0, mode);
  track.gap.forEach((row) => put(row, row[like]!));
  track.u.forEach((row, k) => put(row, u[k] ?? null));
  track.lambda.forEach((row) => put(row, null));
  put(track.energy, null);
}

function withJumps(track: Track, jumps: Jump[]): Track {
  const rows = (given: number[][]) => given.map((row) => [...row]);
  const full: Track = { ...track, t: [...track.t], mode: [...track.mode], energy: [...track.energy], gap: rows(track.gap), u: rows(track.u), lambda: rows(track.lambda) };
  for (const jump of jumps) {
    const last = full.t.lastIndexOf(jump.t);
    if (last < 0) continue;
    const isAfter = distance(full, last, jump.after) < distance(full, last, jump.before);
    if (!isAfter) insertSample(full, last + 1, last, jump.after, jump.mode);
    else if (full.t[last - 1] !== jump.t) insertSample(full, last, last, jump.before, jump.mode);
  }
  return full;
}

export function tracksWithJumps(result: SimulateResult): SimulateResult {
  const tracks = result.tracks.map((track, index) => withJumps(track, jumpsOf(reportOf(result, index)?.events ?? [])));
  return { ...result, tracks };
}
