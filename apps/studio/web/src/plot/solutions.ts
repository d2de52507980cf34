// What the page shows of the solutions of a contact problem: numbers of the report by meaning, and bars of the forces
// where the solution space has too many dimensions to be drawn.
import type { PenData, PlotData, PlotLayer, SolveReport } from '../types';
import type { Point } from './clip';

export type Solution = SolveReport['solutions'][number];

function numbers(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((entry): entry is number => typeof entry === 'number') : [];
}

export function inImpulses(report: SolveReport): boolean {
  return report.formulation !== 'acceleration';
}

export function normalForces(solution: Solution): number[] {
  return numbers(solution['Lambda_n'] ?? solution['lambda_n']);
}

export function tangentialForces(solution: Solution): number[][] {
  const rows = solution['Lambda_t'] ?? solution['lambda_t'];
  return Array.isArray(rows) ? rows.map(numbers) : [];
}

// Contact velocity after the impulse, or contact acceleration; stacked over the contacts that take part.
export function motionOf(solution: Solution): number[] {
  return numbers(solution['u_after'] ?? solution['a']);
}

// The place in the solution space of one planar contact: normal first, as the plot has it.
export function placeOf(solution: Solution): Point {
  return [normalForces(solution)[0] ?? 0, tangentialForces(solution)[0]?.[0] ?? 0];
}

export function contactNames(report: SolveReport): string[] {
  const names = report['contacts'];
  return Array.isArray(names) ? names.map(String) : [];
}

interface Reached {
  index?: unknown;
}

// The methods that end in this solution.
export function solversOf(report: SolveReport, index: number): string[] {
  const sweeps = (report['gauss_seidel'] ?? {}) as Record<string, Reached | undefined>;
  const reaching = ['projected', 'block'].filter((kind) => sweeps[kind]?.index === index);
  const names = report.lemke.index === index ? ['Lemke'] : [];
  if (reaching.length === 2) names.push('Gauss–Seidel');
  if (reaching.length === 1) names.push(`Gauss–Seidel (${reaching[0]})`);
  return names;
}

// The index of the solution nearest to a pixel, within `reach` pixels; −1: none.
export function nearest(places: Point[], pixel: Point, reach: number): number {
  let best = -1;
  let least = reach;
  places.forEach((place, index) => {
    const distance = Math.hypot(place[0] - pixel[0], place[1] - pixel[1]);
    if (!(distance <= least)) return;
    least = distance;
    best = index;
  });
  return best;
}

const noPen: PenData = { colour: '#000000', opacity: 0, width: 0, dash: 'solid' };
const barColours = ['#D55E00', '#E69F00', '#0072B2'];  // tangents, normal

function bar(left: number, right: number, height: number, colour: string, label: string): PlotLayer {
  const corners: [number, number][] = [[left, 0], [right, 0], [right, height], [left, height]];
  return { kind: 'region', corners, fill: colour, fill_opacity: 0.9, label, pen: noPen };
}

// One group per solution, in it one group per contact, in it the components.
export function forceBars(report: SolveReport): PlotData {
  const names = contactNames(report);
  const symbol = inImpulses(report) ? 'Λ' : 'λ';
  const layers: PlotLayer[] = [];
  const words: PlotLayer[] = [];
  report.solutions.forEach((solution, index) => {
    const normals = normalForces(solution);
    const tangents = tangentialForces(solution);
    const room = 0.84 / Math.max(1, normals.length);
    normals.forEach((normal, contact) => {
      const values = [...(tangents[contact] ?? []), normal];
      const left = index - 0.42 + contact * room;
      const width = (0.88 * room) / values.length;
      values.forEach((value, row) => {
        const last = row === values.length - 1;
        const spatial = values.length > 2 ? String(row + 1) : '';
        const label = last ? `normal /${symbol}/_{n}` : `tangential /${symbol}/_{t${spatial}}`;
        layers.push(bar(left + row * width, left + (row + 1) * width, value, barColours[last ? 2 : row]!, label));
      });
      if (normals.length > 1 && report.solutions.length <= 6) {
        const at: [number, number] = [left + 0.44 * room, Math.max(0, ...values)];
        words.push({ kind: 'note', at, text: names[contact] ?? '', size: 9, anchor: 'middle', colour: '#222222', right: 0, up: 3, bold: false });
      }
    });
  });
  // A lone solution is not drawn as wide as the picture.
  const count = report.solutions.length;
  const side = Math.max(0, (3 - count) / 2);
  const ticks = report.solutions.map((solution, index): [number, string] => [index, solution.mode.replaceAll('-', '−')]);
  const zero: PlotLayer = { kind: 'rule', vertical: false, at: 0, pen: { colour: '#222222', opacity: 1, width: 0.7, dash: 'solid' }, label: '' };
  // Room for the names above the bars.
  const heights = report.solutions.flatMap((solution) => [...normalForces(solution), ...tangentialForces(solution).flat()]);
  const [low, high] = [Math.min(0, ...heights), Math.max(0, ...heights)];
  const span = high - low || 1;
  return {
    title: '',
    x: { label: 'solution, by its mode', unit: '', from: -0.55 - side, to: count - 0.45 + side, scale: 'linear', ticks, factor: 1 },
    y: { label: inImpulses(report) ? 'impulse' : 'force', unit: inImpulses(report) ? 'N s' : 'N', from: low - 0.06 * span, to: high + 0.14 * span, scale: 'linear', ticks: [], factor: 1 },
    layers: [zero, ...layers, ...words],
    equal_scales: false,
    frame: true,
  };
}
