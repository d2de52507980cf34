import { describe, expect, it } from 'vitest';
import { fromFragment, initialState, toFragment, views } from './state';

describe('the address', () => {
  it('carries the whole state', () => {
    const state = initialState();
    state.scene = { name: 'rod-jam', set: { 'state.theta': 1.0471975511965976, 'contact.tip.mu': 1.5, 'forces.torque': 'sin(t)', 'state.slip[2]': -0.5 } };
    state.view = 'map';
    state.mode = 'S+';
    state.contact = 1;
    state.story = 3;
    state.theme = 'dark';
    state.map = { x: { path: 'state.theta', from: 0, to: 1.5, count: 40 }, y: null, of: 'mu_jam' };
    state.play = { ...state.play, policy: 'principle', ghosts: [1, 2], t: 0.25 };
    state.fast = { ...state.fast, starts: [[-0.5, 1e-12]] };
    expect(fromFragment(toFragment(state, 'abc'))).toEqual({ state, token: 'abc' });
  });

  it('carries a scenario of one’s own, signs and all', () => {
    const state = initialState();
    state.scene = { toml: 'mechanism = "rod" # 100 % & more = "<b>"\n[state]\ntheta = "60deg"\n', set: {} };
    expect(fromFragment(toFragment(state, '')).state.scene).toEqual(state.scene);
  });

  it('keeps every digit of a number', () => {
    const state = initialState();
    const value = 0.1 + 0.2;
    state.scene.set['state.theta'] = value;
    expect(fromFragment(toFragment(state, '')).state.scene.set['state.theta']).toBe(value);
  });

  it('is short where nothing was changed', () => {
    expect(toFragment(initialState(), 't')).toBe('#token=t&scene=rod');
  });

  it.each(views)('knows the view %s', (view) => {
    expect(fromFragment(`#view=${view}`).state.view).toBe(view);
  });

  it('leaves out what it cannot read', () => {
    const bad = '#view=nowhere&map={"of":7,"x":&play=[]&fast=null&limit={"from":"x","count":3}&story=x&__proto__.x=1&evil=1&theme=red&solutions={"dt":null}';
    const { state } = fromFragment(bad);
    const expected = initialState();
    expected.limit.count = 3;
    expected.story = 0;
    expect(state).toEqual(expected);
  });

  it.each([
    'map={"x":{"path":7,"from":0,"to":1,"count":9}}', 'map={"x":"state.theta"}', 'map={"y":{"path":"state.theta","from":"0","to":1,"count":9}}',
    'play={"ghosts":{"length":9}}', 'play={"ghosts":["<b>"]}', 'fast={"starts":[[1,2,3]]}', 'fast={"starts":[1,null]}',
  ])('leaves out %s', (part) => {
    expect(fromFragment(`#${part}`).state).toEqual(initialState());
  });
});
