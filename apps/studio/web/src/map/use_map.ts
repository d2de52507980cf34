// The job behind the map: asked for when the view opens, and again a moment after its settings or the scene change, but
// not when only the crosshair moves.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Live } from '../live';
import { useJob, type JobWatch } from '../server';
import type { PageState } from '../state';
import type { Hello, MapResult, QuantityEntry, SceneReport } from '../types';
import { chosenAxes, countFor, sceneWithout, type Axes } from './axes';

const settle = 250;  // [ms]

// The first value at once, later ones when they have stood still for a moment.
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    if (text === settled) return;
    const timer = window.setTimeout(() => setSettled(text), settled === '' ? 0 : settle);
    return () => window.clearTimeout(timer);
  }, [text, settled]);
  return settled;
}

export interface ShownMap {
  axes: Axes | null;       // null: the scene has no two variables
  quantity: QuantityEntry | undefined;
  watch: JobWatch<MapResult>;
  result: MapResult | null;  // where it belongs to the axes that are shown
  stale: boolean;            // the result is that of the settings before
}

// Variables of another scene are on the screen for a moment after a scene was chosen; no map is asked for then.
function sceneOf(state: PageState, live: Live): SceneReport | null {
  const other = state.scene.name !== undefined && state.scene.toml === undefined && live.scene?.name !== state.scene.name;
  return other ? null : live.scene;
}

function requestOf(state: PageState, scene: SceneReport | null, axes: Axes | null, quantity: QuantityEntry | undefined): string {
  if (!scene || !axes || !quantity) return '';
  const contact = scene.contacts[Math.min(state.contact, scene.contacts.length - 1)];
  const of = quantity.of_contact && scene.contacts.length > 1 ? `${contact}.${quantity.name}` : quantity.name;
  const request = { kind: 'map', scene: sceneWithout(state.scene, [axes.x.path, axes.y.path]), x: axes.x, y: axes.y, of };
  return JSON.stringify(quantity.cost === 'simulation' ? { ...request, t_end: state.play.t_end } : request);
}

export function useMap(hello: Hello, state: PageState, live: Live): ShownMap {
  const quantity = hello.quantities.find((one) => one.name === state.map.of) ?? hello.quantities[0];
  const scene = sceneOf(state, live);
  const count = countFor(quantity, scene?.contacts.length ?? 1);
  const axes = scene ? chosenAxes(scene, state.map.x, state.map.y, count) : null;
  // Without given ends the page's choice follows the value; it is kept, or every move of the crosshair would change it.
  const kept = useRef<{ key: string; axes: Axes | null }>({ key: '', axes: null });
  const key = JSON.stringify([state.scene.name, state.scene.toml, state.map.x, state.map.y, count]);
  if (axes && kept.current.key !== key) kept.current = { key, axes };
  const shown = axes && kept.current.axes;
  const text = requestOf(state, scene, shown, quantity);
  const settled = useSettled(text);
  const watch = useJob<MapResult>(settled ? (JSON.parse(settled) as object) : null);
  const before = useRef<{ text: string; result: MapResult | null }>({ text: '', result: null });
  if (before.current.text !== settled) before.current = { text: settled, result: watch.result };
  const stale = text !== settled || (watch.result !== null && watch.result === before.current.result);
  return { axes: shown, quantity, watch, result: shown && fits(watch.result, shown) ? watch.result : null, stale };
}

function fits(result: MapResult | null, axes: Axes): boolean {
  return result !== null && (['x', 'y'] as const).every((key) => {
    const [has, wants] = [result[key], axes[key]];
    return has.path === wants.path && has.from === wants.from && has.to === wants.to;
  });
}
