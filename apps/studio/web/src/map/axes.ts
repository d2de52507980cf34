// The two variables of a map: which ones the page chooses, how far they go, and how values, cells and places in the
// picture belong together. A cell is drawn around its value, so the picture reaches half a cell beyond both ends.
import type { AxisRequest, QuantityEntry, SceneReport, SceneRequest, Variable } from '../types';

export const fineCount = 300;
export const severalCount = 150;   // every combination of modes of several contacts is looked at in each cell
export const simulationCount = 60;  // a run per cell takes its time
export const mostCount = 500;  // a larger grid shows nothing more on a screen

export function countFor(quantity: QuantityEntry | undefined, contacts: number): number {
  if (quantity?.cost === 'simulation') return simulationCount;
  return contacts > 1 && quantity?.cost !== 'contact' ? severalCount : fineCount;
}

// An angle is shown over the half turn that it is in: both leanings of a rod, but not the rod upside down.
export function axisOf(variable: Variable, count: number): AxisRequest {
  const { path, value } = variable;
  if (variable.unit === 'rad' && variable.group === 'state' && Math.abs(value) <= Math.PI) {
    const from = value > 0 ? 0 : value < 0 ? -Math.PI : -Math.PI / 2;
    return { path, from, to: from + Math.PI, count };
  }
  const from = Math.min(variable.from, value);
  const to = Math.max(variable.to, value);
  return { path, from, to: to > from ? to : from + 1, count };
}

// Components of lists ("b[1]") can be moved but are no axes of the program's maps.
export function mappable(scene: SceneReport): Variable[] {
  return scene.variables.filter((variable) => !variable.path.includes('['));
}

// What a reader wants first: an angle of the posture over the friction of the first contact.
export function defaultVariables(scene: SceneReport): [Variable, Variable] | null {
  const free = mappable(scene).filter((variable) => !variable.solved);
  const postures = free.filter((variable) => variable.group === 'state' && !variable.name.endsWith('_dot'));
  const angle = postures.find((variable) => variable.unit === 'rad');
  const friction = free.find((variable) => variable.group === 'contact' && /(^|\.)mu$/.test(variable.name));
  const slant = free.find((variable) => variable.group === 'parameters' && variable.unit === 'rad');
  const x = angle ?? postures[0] ?? slant ?? free.find((variable) => variable !== friction);
  if (!x) return null;
  const y = friction ?? free.find((variable) => variable !== x);
  return y ? [x, y] : null;
}

export interface Axes {
  x: AxisRequest;
  y: AxisRequest;
}

// What is asked for, or what the page chooses where nothing is; null: the scene has no two variables.
export function chosenAxes(scene: SceneReport, x: AxisRequest | null, y: AxisRequest | null, count: number): Axes | null {
  const known = (axis: AxisRequest | null) => (axis && isAxis(axis) && mappable(scene).some((v) => v.path === axis.path) ? axis : null);
  const [givenX, givenY] = [known(x), known(y)];
  if (givenX && givenY && givenX.path !== givenY.path) return { x: givenX, y: givenY };
  const chosen = defaultVariables(scene);
  if (!chosen) return null;
  if (givenX) {
    const other = chosen.find((variable) => variable.path !== givenX.path)!;
    return { x: givenX, y: axisOf(other, givenX.count) };
  }
  return { x: axisOf(chosen[0], count), y: axisOf(chosen[1], count) };
}

// An address may hold anything in the place of an axis.
function isAxis(axis: AxisRequest): boolean {
  const finite = [axis.from, axis.to, axis.count].every((value) => Number.isFinite(value));
  return typeof axis.path === 'string' && finite && axis.from !== axis.to && axis.count >= 2;
}

// The scene of a map is the same wherever the crosshair stands: without the values of the two variables themselves.
export function sceneWithout(scene: SceneRequest, paths: string[]): SceneRequest {
  const set = Object.fromEntries(Object.entries(scene.set ?? {}).filter(([path]) => !paths.includes(path)));
  return { ...scene, set };
}

export function valueOfCell(axis: AxisRequest, cell: number): number {
  return axis.count > 1 ? axis.from + ((axis.to - axis.from) * cell) / (axis.count - 1) : axis.from;
}

// Part 0..1 of the picture, from the side of `from`.
export function partOfValue(axis: AxisRequest, value: number): number {
  return (((value - axis.from) / (axis.to - axis.from)) * (axis.count - 1) + 0.5) / axis.count;
}

export function cellOfPart(axis: AxisRequest, part: number): number {
  return Math.min(axis.count - 1, Math.max(0, Math.floor(part * axis.count)));
}

export function cellOfValue(axis: AxisRequest, value: number): number {
  return cellOfPart(axis, partOfValue(axis, value));
}
