// The time that is shown. It changes with every picture while a run is played, so those who follow it are told without
// a pass through the whole page; the store gets it now and then.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { current, update } from '../store';
import type { PlaySettings } from '../state';
import type { TimeScale } from './time_scale';

export class Signal<T> {
  private listeners = new Set<() => void>();
  constructor(private held: T) {}
  get value(): T {
    return this.held;
  }
  set(value: T) {
    if (Object.is(value, this.held)) return;
    this.held = value;
    for (const listener of [...this.listeners]) listener();
  }
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}

// What `of` makes of a signal; drawn again only when that changes.
export function useSignal<T, V>(signal: Signal<T>, of: (value: T) => V): V {
  const [, redraw] = useState(0);
  const seen = of(signal.value);
  const last = useRef(seen);
  last.current = seen;
  const read = useRef(of);
  read.current = of;
  useEffect(() => signal.subscribe(() => {
    if (!Object.is(read.current(signal.value), last.current)) redraw((n) => n + 1);
  }), [signal]);
  return seen;
}

export function setPlay(change: Partial<PlaySettings>, push = false) {
  update({ play: { ...current().play, ...change } }, push);
}

const storeEvery = 250;  // [ms]

export interface Clock {
  t: Signal<number>;
  playing: boolean;
  seek: (t: number) => void;
  toggle: () => void;
}

// `rate`: of x per second. Played evenly along the axis, whatever that is; at its end it stops, and starts over.
export function useClock(stored: number, scale: TimeScale, rate: number): Clock {
  const signal = useRef<Signal<number> | null>(null);
  const t = (signal.current ??= new Signal(stored));
  const written = useRef(stored);
  const [playing, setPlaying] = useState(false);
  const keep = (value: number) => {
    if (value === current().play.t) return;
    written.current = value;
    setPlay({ t: value });
  };
  if (stored !== written.current) {
    written.current = stored;  // a link, the back button, the tour
    t.set(stored);
  }
  const seek = (value: number) => {
    t.set(value);
    keep(value);
  };
  // Before the next picture: a clock that is stopped shows no other time any more.
  useLayoutEffect(() => {
    if (playing) return run(t, scale, rate, keep, () => setPlaying(false));
    return undefined;
  }, [playing, scale, rate]);
  return { t, playing, seek, toggle: () => setPlaying((now) => !now) };
}

function run(t: Signal<number>, scale: TimeScale, rate: number, keep: (t: number) => void, finish: () => void) {
  let x = scale.toX(t.value);
  if (x >= scale.to) x = scale.from;
  let shown = t.value;
  let before = performance.now();
  let kept = before;
  let request = requestAnimationFrame(step);
  function step(now: number) {
    if (t.value !== shown) x = scale.toX(t.value);  // somebody moved it meanwhile
    x = Math.min(scale.to, x + (rate * Math.max(0, now - before)) / 1000);
    before = now;
    shown = scale.toT(x);
    t.set(shown);
    if (now - kept > storeEvery) {
      kept = now;
      keep(shown);
    }
    if (x < scale.to) request = requestAnimationFrame(step);
    else finish();
  }
  return () => {
    cancelAnimationFrame(request);
    keep(t.value);
  };
}
