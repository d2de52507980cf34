// The analysis of the present scene, asked for at every change and shown as soon as it is there: one question at a
// time, and the newest state next, so that a drag never queues up.
import { call, callQuickly } from './server';
import type { PageState } from './state';
import { current, subscribe, useChanging } from './store';
import type { AnalyzeReply, SceneReport } from './types';

export interface Live {
  reply: AnalyzeReply | null;  // of the newest scene that could be analysed
  scene: SceneReport | null;   // its variables; follows when there is time
  error: string;               // why the present scene cannot be analysed; '': it can
  milliseconds: number;        // from the last input to its answer on the screen
}

let live: Live = { reply: null, scene: null, error: '', milliseconds: 0 };
const listeners = new Set<() => void>();

function show(change: Partial<Live>) {
  live = { ...live, ...change };
  for (const listener of [...listeners]) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useLive(): Live {
  return useLivePart((whole) => whole);
}

export function useLivePart<T>(select: (whole: Live) => T): T {
  return useChanging(listen, () => live, select);
}

// From input to paint, for the measurements in bench/: times in ms of performance.now().
interface Latency {
  input: number;
  drawn: number;    // the answer is in the page
  frame: number;    // the next picture of the browser begins
  painted: number;  // and is done
}
const latencies: Latency[] = [];
declare global {
  interface Window {
    painleve: { latencies: Latency[] };
  }
}
window.painleve = { latencies };

// A message to oneself comes after the painting of the frame in which it was sent.
const channel = new MessageChannel();
const unpainted: (() => void)[] = [];
channel.port1.onmessage = () => unpainted.shift()?.();

function afterPaint(done: (frame: number) => void) {
  requestAnimationFrame(() => {
    const frame = performance.now();
    unpainted.push(() => done(frame));
    channel.port2.postMessage(null);
  });
}

let asked = '';     // scene of the question under way or answered last
let asking = false;
let changed = 0;    // when the newest change came
let describeTimer: number | undefined;
let described = '';

function showReply(reply: AnalyzeReply, input: number) {
  show({ reply, error: '' });
  let drawn = performance.now();
  queueMicrotask(() => (drawn = performance.now()));  // after that of preact, which draws what show() has changed
  afterPaint((frame) => {
    const painted = performance.now();
    latencies.push({ input, drawn, frame, painted });
    if (latencies.length > 2000) latencies.shift();
    live = { ...live, milliseconds: painted - input };
  });
}

// An answer that somebody else got for a scene, which he makes the present one right after this: no second question.
export function adopt(scene: PageState['scene'], reply: AnalyzeReply, input: number) {
  asked = JSON.stringify(scene);
  showReply(reply, input);
  window.clearTimeout(describeTimer);
  describeTimer = window.setTimeout(() => void describe(), 120);
}

async function ask() {
  const scene = current().scene;
  const text = JSON.stringify(scene);
  if (asking || text === asked) return;
  asking = true;
  asked = text;
  const input = changed;
  try {
    const reply = await callQuickly<AnalyzeReply>('analyze', { scene });
    if (asked === text) showReply(reply, input);  // else a newer one was adopted meanwhile
  } catch (error) {
    if (asked === text) show({ error: (error as Error).message });
  }
  asking = false;
  void ask();
}

async function describe() {
  describeTimer = undefined;
  const scene = current().scene;
  const text = JSON.stringify(scene);
  if (text === described) return;
  try {
    const report = await call<SceneReport>('scene', { scene });
    described = text;
    show({ scene: report });
  } catch {
    // the analysis says what is wrong
  }
}

function follow() {
  if (JSON.stringify(current().scene) === asked) return;
  changed = performance.now();
  void ask();
  const known = live.scene?.name;
  const other = current().scene.name !== undefined && current().scene.name !== known;
  window.clearTimeout(describeTimer);
  describeTimer = window.setTimeout(() => void describe(), other ? 0 : 120);
}

export function startLive() {
  subscribe(follow);
  follow();
}
