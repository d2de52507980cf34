// A small tree of futures for the tests: a root to t = 1 that branches into two, the second of which branches again.
import type { SimulateResult, Track } from '../types';

const drawing = { dimension: 2, strokes: [], balls: [], contacts: [], gravity: [0, -1, 0] as [number, number, number] };

export function track(parent: number, t: number[], events: number[] = [], more: Partial<Track> = {}): Track {
  const values = t.map((time, k) => 100 * (parent + 2) + 10 * time + k / 1000);
  return {
    parent, why: '', stopped: 't_end', stop_reason: '', outcome: 'F', contacts: ['tip'], rows: 2, t,
    gap: [values], u: [values, values], lambda: [values, values], energy: values, mode: t.map(() => 'F'),
    events: events.map((time) => ({ t: time, kind: 'impact', contact: 'tip', mode: 'F', note: '' })),
    frames: t.map((time) => ({ t: time, drawing })),
    ...more,
  };
}

export function sampleTree(): SimulateResult {
  const tracks = [
    track(-1, [0, 0.5, 1], [0.5], { stopped: 'branched' }),
    track(0, [1, 2]),
    track(0, [1, 1.5], [1.25], { stopped: 'branched' }),
    track(2, [1.5, 2]),
    track(2, [1.5, 3], [], { stopped: 'jam', outcome: 'S+' }),
  ];
  const energy = (initial: number, friction: number, final: number) => ({ initial, friction, impact: 1, applied: 0.5, final, defect: 0 });
  const report = (e: Record<string, number>, futures: unknown[] = []) => ({ method: 'event', stopped: '', t: 0, outcome: '', events: [], energy: e, futures });
  const inner = [report(energy(7, 3, 3.5)), report(energy(7, 4, 2.5))];
  return { report: report(energy(10, 1, 8.5), [report(energy(8.5, 2, 6)), report(energy(8.5, 1, 7), inner)]), tracks };
}
