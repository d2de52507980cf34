// The state of the page, and its form in the address: everything that is shown can be sent to somebody as a link.
//
// Fragment: #token=…&scene=rod&state.theta=1.2&contact.tip.mu=1.5&view=map&map={…}. What is set on the scene has the
// names of the scenario file; the settings of a view are one JSON object, left out where they are the defaults.
import type { AxisRequest, SceneRequest } from './types';

export const views = ['scene', 'solutions', 'map', 'play', 'fast', 'limit'] as const;
export type View = (typeof views)[number];

export interface MapSettings {
  x: AxisRequest | null;  // null: chosen by the page from the variables of the scene
  y: AxisRequest | null;
  of: string;
}
export interface PlaySettings {
  method: 'event' | 'step' | 'compliant' | '';  // '': as the command line chooses
  policy: 'principle' | 'stiff-limit' | 'seeded' | 'all';
  t_end: number;
  dt: number;
  track: number;      // the branch that is played
  ghosts: number[];   // branches played beside it
  t: number;          // [s] shown
  zoom: number;       // index of the event that the logarithmic zoom is about, −1: none
}
export interface SolutionSettings {
  formulation: 'acceleration' | 'impulse' | 'step';
  dt: number;
  chosen: number;  // index of the solution, −1: none
}
export interface FastSettings {
  contact: number;
  stiffness: number;
  damping: number;
  starts: [number, number][];  // trajectories that were clicked
}
export interface LimitSettings {
  of: 'stiffness' | 'dt';
  from: number;
  to: number;
  count: number;
  t_end: number;
  begun: boolean;  // the study was asked for: it takes long, so nothing runs by itself
}

export interface PageState {
  scene: SceneRequest & { set: Record<string, number | string> };
  view: View;
  mode: string;     // of the mode table, whose forces are drawn; '': the first consistent one
  contact: number;  // whose cone is shown
  story: number;    // step of the tour, −1: no tour
  theme: 'light' | 'dark' | '';  // '': as the system has it
  map: MapSettings;
  play: PlaySettings;
  solutions: SolutionSettings;
  fast: FastSettings;
  limit: LimitSettings;
}

export function initialState(): PageState {
  return {
    scene: { name: 'rod', set: {} },
    view: 'scene',
    mode: '',
    contact: 0,
    story: -1,
    theme: '',
    map: { x: null, y: null, of: 'verdict' },
    play: { method: '', policy: 'all', t_end: 1, dt: 0.01, track: 0, ghosts: [], t: 0, zoom: -1 },
    solutions: { formulation: 'step', dt: 0.01, chosen: -1 },
    fast: { contact: 0, stiffness: 1e6, damping: 1e3, starts: [] },
    limit: { of: 'stiffness', from: 1e4, to: 1e8, count: 5, t_end: 0.2, begun: false },
  };
}

const settings = ['map', 'play', 'solutions', 'fast', 'limit'] as const;
const scenePath = /^(state|parameters|contact|forces|tolerance)(\.[A-Za-z0-9_-]+)+(\[\d+\])?$/;

function textOf(value: number | string): string {
  return String(value);
}

function valueOf(text: string): number | string {
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) ? number : text;
}

export function toFragment(state: PageState, token: string): string {
  const initial = initialState();
  const parts: [string, string][] = [];
  if (token) parts.push(['token', token]);
  if (state.scene.toml !== undefined) parts.push(['toml', state.scene.toml]);
  else parts.push(['scene', state.scene.name ?? '']);
  for (const [path, value] of Object.entries(state.scene.set)) parts.push([path, textOf(value)]);
  if (state.view !== initial.view) parts.push(['view', state.view]);
  if (state.mode) parts.push(['mode', state.mode]);
  if (state.contact) parts.push(['contact-shown', String(state.contact)]);
  if (state.story >= 0) parts.push(['story', String(state.story)]);
  if (state.theme) parts.push(['theme', state.theme]);
  for (const key of settings) {
    const text = JSON.stringify(state[key]);
    if (text !== JSON.stringify(initial[key])) parts.push([key, text]);
  }
  return '#' + parts.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&');
}

// Members of the right type only: an address comes from anywhere.
function adopted<T extends object>(known: T, text: string): T {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return known;
  }
  if (typeof given !== 'object' || given === null) return known;
  const result = { ...known };
  for (const key of Object.keys(known) as (keyof T)[]) {
    const value = (given as Record<string, unknown>)[key as string];
    if (value === undefined) continue;
    const expected = known[key];
    const alike = typeof value === typeof expected && Array.isArray(value) === Array.isArray(expected) && value !== null;
    if (expected === null ? isAxis(value) : alike && numbersOnly(value)) result[key] = value as T[keyof T];
  }
  return result;
}

// Lists in the settings hold numbers, or pairs of them.
function numbersOnly(value: unknown): boolean {
  return !Array.isArray(value) || value.every((one) => (Array.isArray(one) ? one.length === 2 && numbersOnly(one) : Number.isFinite(one)));
}

// The only members that may be null are the axes of the map.
function isAxis(value: unknown): boolean {
  const axis = value as AxisRequest | null;
  return axis === null || (typeof axis === 'object' && scenePath.test(String(axis.path)) && [axis.from, axis.to, axis.count].every(Number.isFinite));
}

export function fromFragment(fragment: string): { state: PageState; token: string } {
  const state = initialState();
  let token = '';
  for (const [key, value] of new URLSearchParams(fragment.replace(/^#/, ''))) {
    if (key === 'token') token = value;
    else if (key === 'scene') state.scene.name = value;
    else if (key === 'toml') state.scene = { toml: value, set: state.scene.set };
    else if (key === 'view' && (views as readonly string[]).includes(value)) state.view = value as View;
    else if (key === 'mode') state.mode = value;
    else if (key === 'contact-shown') state.contact = Math.max(0, Number.parseInt(value, 10) || 0);
    else if (key === 'story') state.story = Math.max(-1, Number.parseInt(value, 10) || 0);
    else if (key === 'theme' && (value === 'light' || value === 'dark')) state.theme = value;
    else if (key === 'map') state.map = adopted(state.map, value);
    else if (key === 'play') state.play = adopted(state.play, value);
    else if (key === 'solutions') state.solutions = adopted(state.solutions, value);
    else if (key === 'fast') state.fast = adopted(state.fast, value);
    else if (key === 'limit') state.limit = adopted(state.limit, value);
    else if (scenePath.test(key)) state.scene.set[key] = valueOf(value);
  }
  return { state, token };
}
