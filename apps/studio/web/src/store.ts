// One state for the whole page. Views read it with useStore() and change it with update(); the address follows.
import { useEffect, useRef, useState } from 'preact/hooks';
import { fromFragment, initialState, toFragment, type PageState, type View } from './state';
import type { SceneRequest } from './types';

type Listener = () => void;

const listeners = new Set<Listener>();
const opened = fromFragment(window.location.hash);
let state: PageState = opened.state;
export let token = opened.token;
export const openedWithScene = /[#&](scene|toml)=/.test(window.location.hash);

// Browsers refuse more than a few hundred changes of the address per minute, and each takes milliseconds that a drag does
// not have: it is written when nothing has changed for a while, and in a long drag now and then.
const addressAfter = 300;  // [ms]
const addressAtLeastEvery = 3000;
let addressTimer: number | undefined;
let addressOldSince = 0;

export function current(): PageState {
  return state;
}

function writeAddress(push: boolean) {
  window.clearTimeout(addressTimer);
  addressTimer = undefined;
  const fragment = toFragment(state, token);
  if (fragment === window.location.hash) return;
  if (push) window.history.pushState(null, '', fragment);
  else window.history.replaceState(null, '', fragment);
}

function writeAddressLater() {
  const now = performance.now();
  if (addressTimer === undefined) addressOldSince = now;
  else if (now - addressOldSince > addressAtLeastEvery) return;
  window.clearTimeout(addressTimer);
  addressTimer = window.setTimeout(() => writeAddress(false), addressAfter);
}

// `push`: a step that the back button undoes; else the address follows when there is time.
export function update(change: Partial<PageState>, push = false) {
  if (push && addressTimer !== undefined) writeAddress(false);
  state = { ...state, ...change };
  if (push) writeAddress(true);
  else writeAddressLater();
  for (const listener of [...listeners]) listener();
}

export function subscribe(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// What a part of the page reads of something that changes; it is drawn again only when that part has changed.
export function useChanging<S, T>(listen: (listener: Listener) => () => void, read: () => S, select: (whole: S) => T): T {
  const [, redraw] = useState(0);
  const now = select(read());
  const shown = useRef(now);
  shown.current = now;
  const newest = useRef(select);
  newest.current = select;
  useEffect(() => {
    const look = () => {
      if (!Object.is(newest.current(read()), shown.current)) redraw((n) => n + 1);
    };
    look();
    return listen(look);
  }, []);
  return now;
}

export function useStore(): PageState {
  return useStorePart((whole) => whole);
}

export function useStorePart<T>(select: (whole: PageState) => T): T {
  return useChanging(subscribe, current, select);
}

// One value on the scene. `undefined` takes it back to what the scenario says.
export function set(values: Record<string, number | string | undefined>, push = false) {
  const all = { ...state.scene.set };
  for (const [path, value] of Object.entries(values)) {
    if (value === undefined) delete all[path];
    else all[path] = value;
  }
  update({ scene: { ...state.scene, set: all } }, push);
}

// Another scene: what was chosen for the old one no longer means anything.
export function openScene(scene: SceneRequest, push = true) {
  const fresh = initialState();
  update(
    {
      scene: { ...scene, set: scene.set ?? {} },
      mode: '',
      contact: 0,
      map: fresh.map,
      play: fresh.play,
      solutions: fresh.solutions,
      fast: fresh.fast,
    },
    push,
  );
}

export function go(view: View) {
  update({ view }, true);
}

window.addEventListener('popstate', () => {
  const read = fromFragment(window.location.hash);
  state = read.state;
  if (read.token) token = read.token;
  for (const listener of [...listeners]) listener();
});
