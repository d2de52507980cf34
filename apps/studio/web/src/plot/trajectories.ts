// The trajectories through the starts that were clicked: each is asked for once, and all anew when the dynamics changes.
import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../server';
import type { FastReply, FastTrajectory } from '../types';
import { windowWith } from './fast_portrait';

export interface Trajectories {
  of: (FastTrajectory | null)[];  // per start; null: not there yet
  error: string;
}

export function useTrajectories(dynamics: object, window: FastReply['window'] | null, starts: [number, number][]): Trajectories {
  const [, redraw] = useState(0);
  const [error, setError] = useState('');
  const known = useRef(new Map<string, FastTrajectory>());
  const key = JSON.stringify([dynamics, window]);
  const nameOf = (start: [number, number]) => `${key} ${JSON.stringify(start)}`;
  useEffect(() => {
    if (!window) return;
    let gone = false;
    const ask = async () => {
      setError('');
      for (const start of starts) {
        const name = nameOf(start);
        if (gone || known.current.has(name)) continue;
        try {
          known.current.set(name, await call<FastTrajectory>('fast_trajectory', { ...dynamics, start, window: windowWith(window, start) }));
        } catch (problem) {
          if (!gone) setError((problem as Error).message);
          return;
        }
        redraw((n) => n + 1);
      }
      // A drag of a slider leaves trajectories of many dynamics behind.
      for (const name of known.current.keys()) {
        if (!gone && !name.startsWith(`${key} `)) known.current.delete(name);
      }
    };
    void ask();
    return () => void (gone = true);
  }, [key, JSON.stringify(starts)]);
  return { of: starts.map((start) => known.current.get(nameOf(start)) ?? null), error };
}
