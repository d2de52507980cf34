// A body that is pulled: the program says which coordinates move, and how. One question at a time, the newest next, and
// none sooner than a screen of 120 Hz could show it: some mice move a thousand times a second.
import { adopt } from '../live';
import { callQuickly } from '../server';
import { current, set, update } from '../store';
import type { DragReply, Grip, Place, Variable } from '../types';

interface Pull {
  grip: Grip;
  to: Place;
  input: number;  // [ms] when the pointer moved
}

let next: Pull | null = null;
let asking = false;
let asked = -Infinity;  // [ms] when the last question was
const spacing = 8;      // [ms]

function take(reply: DragReply, scene: ReturnType<typeof current>['scene'], input: number) {
  const now = current().scene;
  if (now === scene) {
    const moved = { ...scene, set: { ...scene.set, ...reply.set } };
    adopt(moved, reply, input);
    update({ scene: moved });
  } else if (now.name === scene.name && now.toml === scene.toml) {
    set(reply.set);  // something else was changed meanwhile: the answer is no longer that of the whole scene
  }
}

// `problem` is told why a pull could not be answered, and '' when one was.
export function pull(grip: Grip, to: Place, problem: (sentence: string) => void) {
  next = { grip, to, input: performance.now() };
  if (!asking) void ask(problem);
}

async function ask(problem: (sentence: string) => void) {
  asking = true;
  while (next) {
    const early = asked + spacing - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    asked = performance.now();
    const { grip, to, input }: Pull = next;
    next = null;
    const scene = current().scene;
    try {
      take(await callQuickly<DragReply>('drag', { scene, grip, to }), scene, input);
      problem('');
    } catch (error) {
      problem((error as Error).message);
    }
  }
  asking = false;
}

// The variables that hold the slip of the first contact, one per tangent; empty where it cannot be set.
export function slipPaths(variables: Variable[], tangents: number): string[] {
  const wanted = tangents === 1 ? ['state.slip'] : Array.from({ length: tangents }, (_, k) => `state.slip[${k + 1}]`);
  return wanted.every((path) => variables.some((variable) => variable.path === path)) ? wanted : [];
}
