import { describe, expect, it } from 'vitest';
import type { AxisRequest, SceneReport, Variable } from '../types';
import { axisOf, cellOfPart, cellOfValue, chosenAxes, countFor, defaultVariables, partOfValue, sceneWithout, valueOfCell } from './axes';

const variable = (path: string, change: Partial<Variable> = {}): Variable => ({
  path, name: path.replace(/^[a-z]+\./, ''), group: path.split('.')[0] as Variable['group'], unit: '1', value: 1, from: 0, to: 3, meaning: '', solved: false, ...change,
});
const angle = { unit: 'rad', from: -Math.PI, to: Math.PI };
const scene = (variables: Variable[]): SceneReport => ({ name: 's', mechanism: 'rod', kind: 'mechanism', dimension: 2, contacts: ['tip'], toml: '', variables });
const rod = scene([
  variable('state.x', { unit: 'm' }), variable('state.y', { unit: 'm', solved: true }), variable('state.theta', { ...angle, value: 1 }),
  variable('state.theta_dot', { unit: 'rad/s' }), variable('contact.tip.restitution'), variable('contact.tip.mu'),
]);

describe('the choice of the page', () => {
  it('is the angle over friction', () => {
    expect(defaultVariables(rod)?.map((one) => one.path)).toEqual(['state.theta', 'contact.tip.mu']);
  });
  it('passes over angles that follow from closed contacts', () => {
    const arm = scene([variable('state.theta1', { ...angle, solved: true }), variable('state.theta3', angle), variable('contact.tip.mu')]);
    expect(defaultVariables(arm)?.[0].path).toBe('state.theta3');
  });
  it('takes what there is in a scene of numbers, and says when that is not enough', () => {
    const raw = [variable('parameters.b[1]'), variable('contact.c1.mu'), variable('contact.c1.restitution')];
    expect(defaultVariables(scene(raw))?.map((one) => one.path)).toEqual(['contact.c1.restitution', 'contact.c1.mu']);
    expect(defaultVariables(scene(raw.slice(0, 2)))).toBeNull();
    expect(chosenAxes(scene([]), null, null, 300)).toBeNull();
  });
  it('shows the half turn that an angle is in', () => {
    expect(axisOf(variable('state.theta', { ...angle, value: 2.1 }), 300)).toEqual({ path: 'state.theta', from: 0, to: Math.PI, count: 300 });
    expect(axisOf(variable('state.theta', { ...angle, value: -0.1 }), 300).from).toBe(-Math.PI);
  });
  it('widens the ends to a value beyond the slider', () => {
    expect(axisOf(variable('contact.tip.mu', { value: 4 }), 10).to).toBe(4);
  });
  it('keeps what is asked for, but not what the scene does not have or what is no axis', () => {
    const x: AxisRequest = { path: 'state.theta', from: 0, to: 1, count: 20 };
    const y: AxisRequest = { path: 'contact.tip.mu', from: 0, to: 1, count: 30 };
    expect(chosenAxes(rod, x, y, 300)).toEqual({ x, y });
    expect(chosenAxes(rod, { ...x, path: 'state.alien' }, y, 300)?.x.path).toBe('state.theta');
    expect(chosenAxes(rod, { path: 'state.theta' } as AxisRequest, y, 300)?.x.count).toBe(300);
  });
  it('takes the slant of a body that cannot move', () => {
    const block = scene([variable('parameters.mass'), variable('parameters.tilt', { unit: 'rad' }), variable('contact.left.mu')]);
    expect(defaultVariables(block)?.[0].path).toBe('parameters.tilt');
  });
  it('is coarse where each cell is a run or has many modes', () => {
    const quantity = { name: 'outcome', unit: '', meaning: '', words: true, of_contact: false };
    expect(countFor({ ...quantity, cost: 'simulation' }, 1)).toBe(60);
    expect(countFor({ ...quantity, cost: 'modes' }, 1)).toBe(300);
    expect(countFor({ ...quantity, cost: 'modes' }, 2)).toBe(150);
    expect(countFor({ ...quantity, cost: 'contact' }, 2)).toBe(300);
  });
});

describe('cells, values and places', () => {
  const axis: AxisRequest = { path: 'p', from: -2, to: 4, count: 7 };
  it('agree in both directions', () => {
    for (let cell = 0; cell < axis.count; ++cell) {
      const value = valueOfCell(axis, cell);
      expect(value).toBeCloseTo(-2 + cell, 14);
      expect(cellOfValue(axis, value)).toBe(cell);
      expect(partOfValue(axis, value)).toBeCloseTo((cell + 0.5) / 7, 14);
    }
  });
  it('put the pointer into the cell that is drawn under it', () => {
    expect(cellOfPart(axis, 0)).toBe(0);
    expect(cellOfPart(axis, 1 / 7 - 1e-9)).toBe(0);
    expect(cellOfPart(axis, 1 / 7 + 1e-9)).toBe(1);
    expect(cellOfPart(axis, 1)).toBe(6);
    expect(cellOfPart(axis, -0.2)).toBe(0);
  });
});

it('asks for the same map wherever the crosshair stands', () => {
  const asked = (theta: number) => sceneWithout({ name: 'rod', set: { 'state.theta': theta, 'contact.tip.mu': theta, 'forces.torque': 2 } }, ['state.theta', 'contact.tip.mu']);
  expect(asked(1)).toEqual(asked(2));
  expect(asked(1).set).toEqual({ 'forces.torque': 2 });
});
