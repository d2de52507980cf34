// What the server says, as the page sees it. Keys of `Analysis`, `SolveReport`, `RunReport` and `ConvergeReport` are
// those of the command line's --json (docs/interface.md); the rest is described in apps/studio/README.md.

// A scene as the page names it: a shipped scenario or gallery name, or the text of a scenario, and what is set on it.
export interface SceneRequest {
  name?: string;
  toml?: string;
  set?: Record<string, number | string>;  // full path ("state.theta") -> value in SI units, or text such as "60deg"
}

// POST /api/hello
export interface Hello {
  program: string;
  version: string;
  scenes: SceneEntry[];
  quantities: QuantityEntry[];
  start: SceneRequest;  // what the command line asked for
}
export interface SceneEntry {
  name: string;
  title: string;      // the question a scenario asks, or the summary of a mechanism
  mechanism: string;  // its gallery name, "contact-space" or "drifting-contacts"
  kind: 'scenario' | 'mechanism';
  dimension: number;
}
export interface QuantityEntry {
  name: string;
  unit: string;
  meaning: string;
  words: boolean;
  of_contact: boolean;
  cost: 'contact' | 'modes' | 'analysis' | 'simulation';
}

// POST /api/scene {scene}
export interface SceneReport {
  name: string;
  mechanism: string;
  kind: 'mechanism' | 'contact_space' | 'drifting_contacts';
  dimension: number;
  contacts: string[];
  toml: string;  // as it stands, edits included
  variables: Variable[];
}
// Of the state only what can be set is listed, with all the others held: a rod on its tip has no y and no x_dot here.
// Components of lists have paths such as "state.slip[2]", counted from 1; `set` takes them, axes of maps do not.
export interface Variable {
  path: string;   // "state.theta"
  name: string;   // "theta", "tip.mu"
  group: 'state' | 'parameters' | 'contact' | 'forces';
  unit: string;   // SI: "rad", "m", "1"
  value: number;  // as the scene is built
  from: number;   // ends of the slider; numbers beyond may be typed where the mechanism allows them
  to: number;
  meaning: string;
  // Not set in the scenario: follows from closed contacts and slip, from other parameters, or, for the spring of a
  // contact, is not there at all (value 0, outside of from..to). Setting it pins it.
  solved: boolean;
}

// POST /api/analyze {scene}
export interface AnalyzeReply {
  analysis: Analysis;
  drawing: Drawing | null;
  cones: (ConeShape | null)[];  // per contact
}
export interface ContactAnalysis {
  name: string;
  closed: boolean;
  bilateral: boolean;
  gap: number;
  mu: number;
  u_t: number[];
  u_n: number;
  b_t: number[];
  b_n: number;
  W_tt: number[][];
  W_tn: number[];
  W_nn: number;
  p: number | null;
  p_reason?: string;
  p_plus?: number | null;
  p_minus?: number | null;
  mu_crit: number | null;
  mu_crit_reason?: string;
  mu_jam: number | null;
  mu_jam_reason?: string;
  e_jam: number[] | null;
  locking_angle: number | null;
  [key: string]: unknown;
}
export interface Mode {
  name: string;
  consistent: boolean;
  boundary: boolean;
  reason: string;
  lambda_n: number[] | null;
  lambda_t: number[][] | null;
  a_n: number[] | null;
  a_t: number[][] | null;
  slip_direction: (number[] | null)[];
  stability: string | null;
  growth_rate: number | null;
  residual: number | null;
  [key: string]: unknown;
}
export interface Analysis {
  mechanism: string;
  dimension: number;
  state: { q: Record<string, number>; v: Record<string, number>; t: number };
  W: number[][];
  b: number[];
  u: number[];
  contacts: ContactAnalysis[];
  modes: Mode[];
  consistent_modes: string[];
  iwc: { name: string; necessary: boolean | null; possible: boolean | null; reason: string }[];
  continuations: string[] | null;
  resolution: string | null;
  verdict: 'unique' | 'inconsistent' | 'indeterminate' | 'impact' | null;
  jam: boolean;
  complete: boolean;
  [key: string]: unknown;
}

export type Place = [number, number, number];
export type Part = 'body' | 'linkage' | 'spring' | 'surface' | 'mark';
export interface Drawing {
  dimension: number;
  strokes: { part: Part; points: Place[]; closed: boolean; width: number }[];
  balls: { part: Part; centre: Place; radius: number }[];
  contacts: { name: string; at: Place; tangents: Place[]; normal: Place; surface_velocity: Place }[];
  gravity: Place;
}
// The generalized friction cone in the space of velocity changes per N s of normal impulse [1/kg], (t, n) or (t1, t2, n).
export interface ConeShape {
  dimension: number;
  rim: number[][];          // plane: the two edges W (∓μ, 1); space: W (−μ e, 1) for evenly spaced e
  section: number[][];      // space: apex and the corners with p(e) = 0; empty up to mu_jam
  locking_rim: number[][];  // space: unit slip directions that jam; empty up to mu_jam
  extent: number;
  free: number[];           // b: direction of the free change δu₀
  slip: number[] | null;    // unit slip direction, null at rest or open
}

// POST /api/drag {scene, grip, to}: moves the coordinates that are free so that the gripped point goes to `to`.
export interface Grip {
  stroke?: number;  // index into Drawing.strokes, with the segment and the part along it
  segment?: number;
  along?: number;   // 0..1
  ball?: number;    // or an index into Drawing.balls
}
export interface DragReply extends AnalyzeReply {
  set: Record<string, number>;  // what changed: paths and values
  distance: number;             // [m] left between the gripped point and `to`
}

// POST /api/solve {scene, formulation, dt, with_drift?, facets?}
export interface SolveReply {
  report: SolveReport;
  space: PlotData | null;  // the solution space of one planar contact: curves of both laws, energy, solutions
  space_reason: string;
  previews: Preview[];     // per solution: where the motion goes at first
}
export interface SolveReport {
  formulation: string;
  dt: number | null;
  count: number;
  complete: boolean;
  verdict: string | null;
  solutions: {
    mode: string;
    residual: number;
    family: unknown;
    [key: string]: unknown;  // lambda_n, lambda_t, a or Lambda_n, Lambda_t, u_after
  }[];
  lemke: { status: string; pivots: number; index: number };
  [key: string]: unknown;
}
export interface Preview {
  mode: string;
  force: number[];                     // [N] or [N s], stacked over all contacts: what is drawn in the scene
  unit: 'N' | 'N s';
  acceleration: Record<string, number>;  // of the coordinates: v̇, or (v⁺ − v)/dt
  frames: { t: number; drawing: Drawing }[];  // a few shots of q + v t + ½ v̇ t²; of a step or an impulse: of q + v⁺ t
}

// Jobs: POST /api/job {kind, ...request} starts one, or finds the one that is there: a job is known by its request.
// POST /api/result {id, after?} returns its state and its newest result; POST /api/cancel {id} stops it.
// GET /api/stream sends `event: job` with JobState for every change, and `event: beat` every few seconds.
export interface JobState {
  id: string;
  kind: 'map' | 'simulate' | 'limit' | 'report';
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  progress: number;      // 0..1
  remaining_s: number | null;
  stage: number;         // grows with each result that can be fetched; 0: none yet
  error: string;
}
export interface JobResult<T> extends JobState {
  result: T | null;
}

export interface AxisRequest {
  path: string;
  from: number;
  to: number;
  count: number;
}
// POST /api/job {kind: 'map', scene, x, y, of, t_end?}
export interface MapResult {
  x: MapAxis;
  y: MapAxis;
  quantity: string;
  unit: string;
  words: boolean;
  names: string[];              // words: what the values index
  values: (number | null)[];    // row by row from y.from, x fastest; null: none
  reasons: string[];
  reason: number[];             // per cell: −1, or why there is no value
  boundaries: { below: string; above: string; chains: [number, number][][] }[];
  final: boolean;               // false: a coarse stage
}
export interface MapAxis extends AxisRequest {
  name: string;
  unit: string;
}

// POST /api/job {kind: 'simulate', scene, method, t_end, policy, seed?, dt?, scheme?}
export interface SimulateResult {
  report: RunReport;   // as the command line prints it
  tracks: Track[];     // every branch of the tree of futures, the root first
}
export interface RunReport {
  method: string;
  stopped: string;
  stop_reason?: string;
  t: number;
  outcome: string;
  events: unknown[];
  energy: Record<string, number>;
  [key: string]: unknown;
}
export interface Track {
  parent: number;        // index of the branch it leaves, −1: the root
  why: string;           // the choice that led to it
  stopped: string;
  stop_reason: string;
  outcome: string;
  contacts: string[];
  rows: number;          // components per contact of u and lambda: tangents first, normal last
  t: number[];
  gap: number[][];       // per contact, over t
  u: number[][];         // per component, over t
  lambda: number[][];
  energy: number[];
  mode: string[];
  events: { t: number; kind: string; contact: string | null; mode: string; note: string }[];
  frames: { t: number; drawing: Drawing }[];  // at most 400, all events among them
}

// POST /api/fast {scene, contact, stiffness, damping}
export interface FastReply {
  plot: PlotData;
  window: { y_from: number; y_to: number; v_from: number; v_to: number };
  equilibria: { at: [number, number]; saddle: boolean; mode: string }[];
  separatrices: { points: [number, number][]; unstable: boolean }[];
  field: { at: [number, number]; direction: [number, number] }[];  // a grid of arrows
}
// POST /api/fast_trajectory {scene, contact, stiffness, damping, start: [y, v], window?}
export interface FastTrajectory {
  points: [number, number][];  // forward
  past: [number, number][];    // backward
  force: number[];             // along `points`
  fate: 'contact breaks' | 'comes to rest' | 'force grows without bound' | 'goes on';
}

// POST /api/job {kind: 'limit', scene, stiffness?: [a, b, n], dt?: [a, b, n], t_end}
export interface LimitResult {
  report: Record<string, unknown>;  // as `converge --json`
  plots: PlotData[];
}

// POST /api/job {kind: 'report', scene, t_end}
export interface ReportResult {
  html: string;
}

// A plot of the library as data (painleve/figure/plot.hpp): layers in the order in which they are drawn.
export interface PlotData {
  title: string;
  x: AxisData;
  y: AxisData;
  layers: PlotLayer[];
  equal_scales: boolean;
  frame: boolean;
}
export interface AxisData {
  label: string;
  unit: string;
  from: number | null;
  to: number | null;
  scale: 'linear' | 'logarithmic';
  ticks: [number, string][];
  factor: number;  // shown = factor × data
}
export interface PenData {
  colour: string;  // "#rrggbb"
  opacity: number;
  width: number;
  dash: 'solid' | 'dashed' | 'dotted' | 'dash_dot';
}
export type PlotLayer =
  | { kind: 'curve'; points: ([number, number] | null)[]; pen: PenData; label: string; glyph: string; glyph_size: number; line: boolean }
  | { kind: 'region'; corners: [number, number][]; fill: string; fill_opacity: number; label: string; pen: PenData }
  | { kind: 'arrow'; from: [number, number]; to: [number, number]; pen: PenData; label: string }
  | { kind: 'note'; at: [number, number]; text: string; size: number; anchor: 'start' | 'middle' | 'end'; colour: string; right: number; up: number; bold: boolean }
  | { kind: 'rule'; vertical: boolean; at: number; pen: PenData; label: string };
