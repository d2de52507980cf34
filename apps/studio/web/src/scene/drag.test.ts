import { describe, expect, it, vi } from 'vitest';
import type { DragReply, SceneRequest } from '../types';

const asked: { to: number[]; answer: (reply: Partial<DragReply>) => void; refuse: (why: Error) => void }[] = [];
const state = { scene: { name: 'rod', set: {} } as SceneRequest & { set: Record<string, number> } };
const adopted: unknown[] = [];
vi.mock('../server', () => ({
  callQuickly: (_name: string, body: { to: number[] }) => new Promise((answer, refuse) => asked.push({ to: body.to, answer: answer as never, refuse })),
}));
vi.mock('../live', () => ({ adopt: (scene: unknown) => adopted.push(scene) }));
vi.mock('../store', () => ({
  current: () => state,
  update: (change: object) => Object.assign(state, change),
  set: (values: Record<string, number>) => (state.scene = { ...state.scene, set: { ...state.scene.set, ...values } }),
}));
const { pull, slipPaths } = await import('./drag');
const later = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('a pull', () => {
  it('asks one question at a time, not too soon, and the newest next', async () => {
    const problems: string[] = [];
    const started = performance.now();
    for (const x of [1, 2, 3]) {
      pull({ stroke: 0 }, [x, 0, 0], (sentence) => problems.push(sentence));
      await later();
    }
    expect(asked.map((one) => one.to[0])).toEqual([1]);
    asked[0]!.answer({ set: { 'state.theta': 0.5 } });
    await vi.waitFor(() => expect(asked).toHaveLength(2), { interval: 1 });
    expect(performance.now() - started).toBeGreaterThanOrEqual(7.5);
    expect(asked.map((one) => one.to[0])).toEqual([1, 3]);
    expect(state.scene.set).toEqual({ 'state.theta': 0.5 });
    expect(adopted).toEqual([state.scene]);
    asked[1]!.refuse(new Error('out of reach'));
    await later();
    expect(problems).toEqual(['', 'out of reach']);
    expect(asked).toHaveLength(2);
  });

  it('does not pass its answer off as that of a scene that changed meanwhile', async () => {
    pull({ stroke: 0 }, [4, 0, 0], () => undefined);
    await vi.waitFor(() => expect(asked).toHaveLength(3), { interval: 1 });
    state.scene = { ...state.scene, set: { 'contact.tip.mu': 2 } };
    asked[2]!.answer({ set: { 'state.theta': 0.7 } });
    await later();
    expect(adopted).toHaveLength(1);
    expect(state.scene.set).toEqual({ 'contact.tip.mu': 2, 'state.theta': 0.7 });
    pull({ stroke: 0 }, [5, 0, 0], () => undefined);
    await vi.waitFor(() => expect(asked).toHaveLength(4), { interval: 1 });
    state.scene = { name: 'block', set: {} };
    asked[3]!.answer({ set: { 'state.theta': 0.9 } });
    await later();
    expect(state.scene.set).toEqual({});
  });
});

describe('the slip of the first contact', () => {
  const variable = (path: string) => ({ path, name: path, group: 'state' as const, unit: 'm/s', value: 0, from: -1, to: 1, meaning: '', solved: false });
  it('is set by one variable in the plane and two in space, or not at all', () => {
    expect(slipPaths([variable('state.slip')], 1)).toEqual(['state.slip']);
    expect(slipPaths([variable('state.slip[1]'), variable('state.slip[2]')], 2)).toEqual(['state.slip[1]', 'state.slip[2]']);
    expect(slipPaths([variable('state.slip[1]')], 2)).toEqual([]);
    expect(slipPaths([variable('state.x')], 1)).toEqual([]);
  });
});
