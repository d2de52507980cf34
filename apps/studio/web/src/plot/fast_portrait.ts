// The picture of the fast dynamics of one contact, and what it says in words.
//
// y is the gap, v the normal velocity, f = max(0, −k y − ν v) the force of spring and damper: y′ = v, v′ = b + P f. The
// contact carries force where k y + ν v < 0.
import type { AxisData, ContactAnalysis, FastReply, FastTrajectory, PenData, PlotData, PlotLayer } from '../types';
import type { Point } from './clip';

export const startColours = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9'];

// An address comes from anywhere: what is no start is left out.
export function validStarts(given: unknown): Point[] {
  if (!Array.isArray(given)) return [];
  return given.filter((start): start is Point => Array.isArray(start) && start.length === 2 && start.every((value) => Number.isFinite(value)));
}

export function colourOfStart(index: number): string {
  return startColours[index % startColours.length]!;
}

// The window, grown so far that it holds a start outside of it: a trajectory is followed while it is in its window.
export function windowWith(w: FastReply['window'], [y, v]: Point): FastReply['window'] {
  const [wide, high] = [0.1 * (w.y_to - w.y_from), 0.1 * (w.v_to - w.v_from)];
  return {
    y_from: y < w.y_from ? y - wide : w.y_from,
    y_to: y > w.y_to ? y + wide : w.y_to,
    v_from: v < w.v_from ? v - high : w.v_from,
    v_to: v > w.v_to ? v + high : w.v_to,
  };
}

// The half of the window in which k y + ν v < 0, and the other one.
export function contactRegions(w: FastReply['window'], stiffness: number, damping: number): { contact: Point[]; free: Point[] } {
  const edge = (v: number) => (-damping * v) / stiffness;
  const far = 4 * (w.y_to - w.y_from + w.v_to - w.v_from) + Math.abs(edge(w.v_to)) + Math.abs(edge(w.v_from));
  // Beyond the window, so that zooming out finds no end of it.
  const [low, high] = [w.v_from - 20 * (w.v_to - w.v_from), w.v_to + 20 * (w.v_to - w.v_from)];
  const line: [Point, Point] = [[edge(low), low], [edge(high), high]];
  const [left, right] = [Math.min(edge(low), edge(high)) - 20 * far, Math.max(edge(low), edge(high)) + 20 * far];
  return { contact: [...line, [left, high], [left, low]], free: [...line, [right, high], [right, low]] };
}

const noPen: PenData = { colour: '#000000', opacity: 0, width: 0, dash: 'solid' };

function region(corners: Point[], fill: string, fill_opacity: number, label: string): PlotLayer {
  return { kind: 'region', corners, fill, fill_opacity, label, pen: noPen };
}

function note(at: Point, text: string, right: number, up: number, anchor: 'start' | 'middle' | 'end' = 'start'): PlotLayer {
  return { kind: 'note', at, text, size: 9, anchor, colour: '#222222', right, up, bold: true };
}

function separatrixLayers(reply: FastReply): PlotLayer[] {
  const layers: PlotLayer[] = [];
  let [thick, thin, named] = [true, true, false];
  for (const { points, unstable } of reply.separatrices) {
    const pen: PenData = { colour: unstable ? '#777777' : '#CC79A7', opacity: 1, width: unstable ? 1.4 : 3.2, dash: unstable ? 'dash_dot' : 'solid' };
    const label = unstable ? (thin ? 'ways out of the saddle' : '') : thick ? 'separatrix' : '';
    layers.push({ kind: 'curve', points, pen, label, glyph: 'none', glyph_size: 0, line: true });
    // Named in the picture, too, on the branch that begins towards larger gaps.
    const middle = points[Math.floor(0.45 * points.length)];
    if (!unstable && middle && points[1]![0] > points[0]![0] && !named) {
      layers.push(note(middle, 'separatrix', 6, 6));
      named = true;
    }
    if (unstable) thin = false;
    else thick = false;
  }
  return layers;
}

function equilibriumLayers(reply: FastReply): PlotLayer[] {
  return reply.equilibria.flatMap(({ at, saddle, mode }): PlotLayer[] => [
    {
      kind: 'curve', points: [at], pen: { colour: '#222222', opacity: 1, width: 1.4, dash: 'solid' },
      label: saddle ? 'saddle' : 'stable equilibrium', glyph: saddle ? 'ring' : 'disc', glyph_size: 8, line: false,
    },
    // Above and below, as a saddle and a stable one may lie close together.
    saddle ? note(at, `${mode}, a saddle`, 7, 6) : note(at, mode, -4, -14, 'middle'),
  ]);
}

// Guides of the library's own picture: the axes, where the force begins, where stick becomes slip.
function guides(plot: PlotData): PlotLayer[] {
  return plot.layers.filter((layer) => layer.kind === 'rule' || (layer.kind === 'curve' && layer.line && layer.pen.dash !== 'solid'));
}

export function portraitPlot(reply: FastReply, stiffness: number, damping: number): PlotData {
  const { contact, free } = contactRegions(reply.window, stiffness, damping);
  return {
    ...reply.plot,
    layers: [
      region(contact, '#E69F00', 0.14, 'contact: a force acts'),
      region(free, '#56B4E9', 0.12, 'no contact'),
      ...guides(reply.plot),
      ...separatrixLayers(reply),
      ...equilibriumLayers(reply),
    ],
  };
}

// The force along a trajectory; its points lie at even distances in the window.
export function forcePlot(trajectories: { index: number; trajectory: FastTrajectory }[]): PlotData {
  const axis: AxisData = { label: '', unit: '', from: null, to: null, scale: 'linear', ticks: [], factor: 1 };
  return {
    title: '',
    x: { ...axis, label: 'part of the way drawn', from: 0, to: 1 },
    y: { ...axis, label: 'force /λ/_{n}', unit: 'N', from: 0 },
    layers: trajectories.map(({ index, trajectory }): PlotLayer => ({
      kind: 'curve',
      points: trajectory.force.map((force, i): Point => [trajectory.force.length > 1 ? i / (trajectory.force.length - 1) : 0, force]),
      pen: { colour: colourOfStart(index), opacity: 1, width: 1.8, dash: 'solid' },
      label: '', glyph: 'none', glyph_size: 0, line: true,
    })),
    equal_scales: false,
    frame: true,
  };
}

export const fateWords: Record<FastTrajectory['fate'], string> = {
  'contact breaks': 'the contact breaks, and the body lifts off',
  'comes to rest': 'it comes to rest on the spring: the force settles',
  'force grows without bound': 'the force grows without bound: an impact without collision',
  'goes on': 'it goes on beyond the window, undecided as yet',
};

// At rest, friction changes from slip to stick and back at the forces b_t/(μ W_tt − W_tn) and −b_t/(μ W_tt + W_tn). Where
// v′ vanishes just there, the state that balances is neither a saddle nor stable, and is not among the equilibria.
export function balancesAtCorner(contact: ContactAnalysis): boolean {
  const { mu, b_n, W_nn } = contact;
  const [b_t, u_t, W_tt, W_tn] = [contact.b_t[0] ?? 0, contact.u_t[0] ?? 0, contact.W_tt[0]?.[0] ?? 0, contact.W_tn[0] ?? 0];
  if (u_t !== 0) return false;
  return [1, -1].some((slip) => {
    const force = (slip * b_t) / (mu * W_tt - slip * W_tn);
    if (!(force > 0) || !Number.isFinite(force)) return false;
    const parts = [b_n, W_nn * force, -slip * mu * W_tn * force];
    const size = Math.max(...parts.map(Math.abs));
    return Math.abs(parts.reduce((sum, part) => sum + part)) <= 1e-9 * size;
  });
}

// Without an equilibrium v′ never vanishes, so it has the sign of b_n, the value without force, for ever.
function withoutEquilibrium(contact: ContactAnalysis): string {
  if (balancesAtCorner(contact)) {
    return 'Forces balance in one state only, just where stick becomes slip (dashed line). It is neither a saddle nor an equilibrium that attracts: on both sides of that line the normal acceleration has the same sign.';
  }
  if (contact.b_n < 0) {
    return 'There is no equilibrium. The normal acceleration is negative whatever the force: pressing harder presses the contact further in. From every start the force grows without bound: an impact without collision is the only way on.';
  }
  if (contact.b_n > 0) return 'There is no equilibrium: the normal acceleration is positive with and without force, so the contact breaks from every start.';
  return 'There is no equilibrium in which a force acts.';
}

function saddleWords(alone: boolean): string {
  const saddle = 'A saddle: rigid mechanics counts it as a motion, but a spring does not stay there. The separatrix decides.';
  if (!alone) return `${saddle} Starts on its two sides end differently.`;
  return `${saddle} From one side of it the contact breaks; from the other the force grows without bound: an impact without collision.`;
}

function stableWords(modes: string[], damping: number): string {
  const names = modes.join(', ');
  if (damping > 0) return `The equilibrium (${names}) attracts: the spring settles at the force of the rigid motion.`;
  return `Without damping the spring swings about the equilibrium (${names}) for ever.`;
}

// What is seen, from what was found.
export function portraitWords(reply: FastReply, contact: ContactAnalysis, damping: number): string {
  if (reply.equilibria.length === 0) return withoutEquilibrium(contact);
  const stable = reply.equilibria.filter((equilibrium) => !equilibrium.saddle).map((equilibrium) => equilibrium.mode);
  const parts: string[] = [];
  if (stable.length < reply.equilibria.length) parts.push(saddleWords(reply.equilibria.length === 1));
  if (stable.length > 0) parts.push(stableWords(stable, damping));
  return parts.join(' ');
}
