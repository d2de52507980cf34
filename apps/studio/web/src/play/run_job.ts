// The run of the present scene and settings: asked for when there has been quiet for a while, found again after a reload.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useJob, type JobWatch } from '../server';
import type { PageState } from '../state';
import type { SimulateResult } from '../types';

const quiet = 400;  // [ms]

export function simulateRequest(state: PageState): object {
  const { method, policy, t_end, dt } = state.play;
  return {
    kind: 'simulate',
    scene: state.scene,
    ...(method ? { method } : {}),
    policy,
    t_end,
    ...(method === 'step' ? { dt } : {}),
  };
}

export interface RunWatch extends JobWatch<SimulateResult> {
  stale: boolean;  // what is shown belongs to other settings, or is not there yet
}

export function useRun(state: PageState): RunWatch {
  const wanted = JSON.stringify(simulateRequest(state));
  const [asked, setAsked] = useState(wanted);
  useEffect(() => {
    if (asked === wanted) return undefined;
    const timer = window.setTimeout(() => setAsked(wanted), quiet);
    return () => window.clearTimeout(timer);
  }, [wanted, asked]);
  const request = useMemo(() => JSON.parse(asked) as object, [asked]);
  const watch = useJob<SimulateResult>(request);
  // A run is handed over once, as a whole: what was there when it was asked for is of other settings.
  const earlier = useRef({ asked: '', result: watch.result });
  if (earlier.current.asked !== asked) earlier.current = { asked, result: watch.result };
  const arrived = watch.result !== null && watch.result !== earlier.current.result;
  return { ...watch, stale: asked !== wanted || !arrived };
}
