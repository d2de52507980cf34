// All solutions of the contact problem at this state: where the laws of contact and friction meet, what each solution
// does at the contacts, and where the motion goes from there.
import { wordColour } from '../colours';
import { useOfferedData } from '../export/registry';
import { format, modeText } from '../format';
import { useLive, type Live } from '../live';
import type { Point } from '../plot/clip';
import type { PlotFrame } from '../plot/frame';
import { PlotView } from '../plot/plot_view';
import { contactNames, forceBars, inImpulses, motionOf, nearest, normalForces, placeOf, solversOf, tangentialForces } from '../plot/solutions';
import { useQuestion } from '../question';
import { MechanismView, type Figure } from '../scene/mechanism_view';
import { schematicFigures } from '../scene/schematic';
import type { SolutionSettings } from '../state';
import { current, update, useStore } from '../store';
import type { Analysis, Hello, Preview, SolveReply, SolveReport } from '../types';
import { NumberField, Panel, Select } from '../ui';
import './solutions.css';

function change(settings: Partial<SolutionSettings>) {
  update({ solutions: { ...current().solutions, ...settings } });
}

const formulations: { value: SolutionSettings['formulation']; text: string }[] = [
  { value: 'step', text: 'one time step' },
  { value: 'impulse', text: 'an impulse' },
  { value: 'acceleration', text: 'forces and accelerations' },
];

const sentences: Record<string, string> = {
  none: 'no motion solves it',
  one: 'one motion solves it',
  several: 'several motions solve it',
};

function Controls(props: { report: SolveReport | null; verdict: Analysis['verdict'] }) {
  const { solutions } = useStore();
  const { report } = props;
  const jumps = props.verdict === 'inconsistent' && report !== null && inImpulses(report) && report.solutions.some((solution) => normalForces(solution).some((force) => force !== 0));
  const families = Number(report?.['force_family_dimension'] ?? 0) > 0;
  return (
    <div class="controls">
      <Select label="what is solved for" testid="solution-formulation" value={solutions.formulation} options={formulations} onChange={(formulation) => change({ formulation, chosen: -1 })} />
      {solutions.formulation === 'step' && (
        <label class="field">
          <span>dt</span>
          <NumberField value={solutions.dt} unit="s" room={83} label="time step" testid="solution-dt" onChange={(dt) => change({ dt, chosen: -1 })} />
        </label>
      )}
      {report && (
        <span class="badge" data-testid="solution-verdict" data-verdict={report.verdict ?? 'null'} style={{ backgroundColor: report.verdict ? wordColour(report.verdict) : '#777777' }}>
          <strong>{report.verdict ?? 'not decided'}</strong>
          <span class="why">{sentences[report.verdict ?? ''] ?? String(report['verdict_reason'] ?? '')}</span>
        </span>
      )}
      {report && (
        <span class="hint" data-testid="solution-complete">
          {report.count} {report.count === 1 ? 'solution' : 'solutions'}
          {families ? ' (families of forces)' : ''},{' '}
          {report.complete ? 'the list is complete' : `perhaps more: ${String(report['complete_reason'] ?? 'the search was not finished')}`}
          {jumps ? '. No acceleration solves this state; an impulse, by which the velocity jumps, does.' : ''}
        </span>
      )}
    </div>
  );
}

// The chosen solution has a ring about it; the others can be clicked.
function marks(places: Point[], chosen: number, accent: string) {
  return places.map((place, index) => (
    <circle
      key={index} cx={place[0]} cy={place[1]} r={index === chosen ? 11 : 9} fill="transparent" data-testid={`solution-point-${index}`}
      stroke={index === chosen ? accent : 'none'} stroke-width={3}
    />
  ));
}

function Space(props: { reply: SolveReply; chosen: number }) {
  const { reply, chosen } = props;
  const { report, space } = reply;
  if (space) {
    const places = (frame: PlotFrame) => report.solutions.map((solution) => frame.at(placeOf(solution)));
    return (
      <PlotView
        plot={space} testid="solution-space" picture
        label={`solution space: where the normal condition and the friction condition meet; ${report.count} solutions`}
        onClick={(_point, pixel, frame) => {
          const index = nearest(places(frame), pixel, 18);
          if (index >= 0) change({ chosen: index });
        }}
        overlay={(frame) => marks(places(frame), chosen, '#E69F00')}
      />
    );
  }
  return (
    <div class="no-space">
      <p class="hint" data-testid="solution-space-reason">{reply.space_reason}</p>
      {report.count > 0 && (
        <div class="bars">
          <PlotView
            plot={forceBars(report)} testid="solution-space" picture label={`forces of the ${report.count} solutions as bars`}
            onClick={([x]) => {
              const index = Math.round(x);
              if (index >= 0 && index < report.count) change({ chosen: index });
            }}
            below={(frame) => {
              const [left, right] = [frame.x(chosen - 0.48), frame.x(chosen + 0.48)].map((x) => Math.min(frame.area.right, Math.max(frame.area.left, x))) as Point;
              return <rect x={left} y={frame.area.top} width={right - left} height={frame.area.bottom - frame.area.top} fill="#E69F00" fill-opacity={0.16} />;
            }}
          />
        </div>
      )}
    </div>
  );
}

// Arrows of the drawing are forces in N. An impulse is drawn as the mean force that gives it: over the step, or over one
// second where there is no step.
function meanForce(preview: Preview | undefined, report: SolveReport): number[] | undefined {
  if (!preview || preview.unit === 'N') return preview?.force;
  return preview.force.map((impulse) => impulse / (report.dt ?? 1));
}

function arrowWords(preview: Preview, report: SolveReport): string {
  if (preview.unit === 'N') return 'Arrows: contact forces.';
  return report.dt === null ? 'Arrows: impulses, as the forces that give them in 1 s.' : 'Arrows: mean contact forces over the step, Λ/dt.';
}

function figures(live: Live, reply: SolveReply, chosen: number): Figure[] {
  const { drawing, analysis } = live.reply!;
  const preview = reply.previews[chosen];
  const forces = meanForce(preview, reply.report);
  if (!drawing) return schematicFigures(analysis, forces ?? new Array<number>(analysis.dimension * analysis.contacts.length).fill(0));
  const present: Figure = {
    drawing,
    opacity: 1,
    mu: analysis.contacts.map((contact) => contact.mu),
    closed: analysis.contacts.map((contact) => contact.closed),
    bilateral: analysis.contacts.map((contact) => contact.bilateral),
    ...(forces ? { forces } : {}),
  };
  const frames = (preview?.frames ?? []).filter((frame) => frame.t > 0);
  return [present, ...frames.map((frame, index) => ({ drawing: frame.drawing, opacity: 0.12 + (0.4 * (index + 1)) / frames.length }))];
}

function Continuation(props: { reply: SolveReply; chosen: number; live: Live }) {
  const { reply, chosen, live } = props;
  const { scene } = useStore();
  const preview = reply.previews[chosen];
  const end = preview?.frames.at(-1)?.t;
  return (
    <Panel class="continuation" testid="solution-preview" title={preview ? `Where ${preview.mode.replaceAll('-', '−')} leads` : 'The present posture'}>
      <div class="drawing"><MechanismView figures={figures(live, reply, chosen)} sceneKey={scene.name ?? 'own'} /></div>
      <p class="hint">
        {preview ? arrowWords(preview, reply.report) : 'There is no solution, and so no continuation to show.'}
        {end ? ` Ghosts: how the motion begins, over ${format(end, 3)} s, ${reply.report.formulation === 'acceleration' ? 'to second order in time' : `with the velocity after the ${reply.report.formulation}`}.` : ''}
        {live.reply!.drawing ? '' : ' A scene given by its contact space has no shape: contacts are drawn side by side.'}
      </p>
    </Panel>
  );
}

function cell(values: number[]): string {
  return values.map((value) => format(value)).join(', ');
}

// "(0.2, 0), (0.1, 0)": what belongs to one contact stands in brackets where there is more than one number beside it.
function vectorCell(vectors: number[][]): string {
  const bare = vectors.every((vector) => vector.length <= 1);
  return vectors.map((vector) => (bare ? cell(vector) : `(${cell(vector)})`)).join(', ');
}

function perContact(values: number[], contacts: number): number[][] {
  const size = values.length / Math.max(1, contacts);
  return Array.from({ length: contacts }, (_, k) => values.slice(k * size, (k + 1) * size));
}

function SolutionRow(props: { report: SolveReport; index: number; chosen: boolean }) {
  const { report, index } = props;
  const solution = report.solutions[index]!;
  const solvers = solversOf(report, index);
  const choose = () => change({ chosen: index });
  const family = solution.family as { dimension?: number } | null;
  return (
    <tr
      class={`yes ${props.chosen ? 'chosen' : ''}`} data-testid={`solution-${index}`} data-mode={solution.mode} aria-selected={props.chosen} tabIndex={0} onClick={choose}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        choose();
      }}
    >
      <th scope="row">{modeText(solution.mode)}</th>
      <td>{cell(normalForces(solution))}</td>
      <td>{vectorCell(tangentialForces(solution))}</td>
      <td>{vectorCell(perContact(motionOf(solution), normalForces(solution).length))}</td>
      <td>{format(solution.residual, 3)}</td>
      <td class="reason">{solvers.join(', ') || '–'}</td>
      <td class="reason">{family ? `one of a family of dimension ${family.dimension ?? '?'}` : solution['boundary'] ? 'on its boundary' : ''}</td>
    </tr>
  );
}

function SolutionTable(props: { report: SolveReport; chosen: number }) {
  const { report } = props;
  const impulses = inImpulses(report);
  const names = contactNames(report).join(', ');
  if (report.count === 0) return <p class="hint">No mode satisfies both laws. Lemke’s method ends with “{report.lemke.status}”.</p>;
  return (
    <table class="modes">
      <thead>
        <tr>
          <th>mode</th>
          <th title={`normal, at ${names}`}>{impulses ? 'Λₙ [N s]' : 'λₙ [N]'}</th>
          <th title={`tangential, at ${names}`}>{impulses ? 'Λₜ [N s]' : 'λₜ [N]'}</th>
          <th title={`tangents first, normal last, at ${names}`}>{impulses ? 'u⁺ (t, n) [m/s]' : 'a (t, n) [m/s²]'}</th>
          <th title="how far the laws of contact and friction are from holding">residual</th>
          <th>reached by</th>
          <th />
        </tr>
      </thead>
      <tbody>
        {report.solutions.map((_, index) => <SolutionRow key={index} report={report} index={index} chosen={index === props.chosen} />)}
      </tbody>
    </table>
  );
}

export function SolutionsView(_props: { hello: Hello }) {
  const { scene, solutions } = useStore();
  const live = useLive();
  const { formulation, dt } = solutions;
  const { reply, error } = useQuestion<SolveReply>('solve', { scene, formulation, ...(formulation === 'step' ? { dt } : {}) });
  useOfferedData('solutions', () => reply?.report ?? null);
  // The least force is shown until another one is chosen, and when the chosen one is gone.
  const count = reply?.report.solutions.length ?? 0;
  const chosen = count === 0 ? -1 : solutions.chosen >= 0 && solutions.chosen < count ? solutions.chosen : 0;
  return (
    <div class="view solutions" data-testid="view-solutions">
      <Controls report={reply?.report ?? null} verdict={live.reply?.analysis.verdict ?? null} />
      {error && <p class="error" role="alert">{error}</p>}
      {reply && live.reply && (
        <div class="pictures">
          <Panel class="space"><Space reply={reply} chosen={chosen} /></Panel>
          <Continuation reply={reply} chosen={chosen} live={live} />
        </div>
      )}
      {reply && <Panel class="list"><SolutionTable report={reply.report} chosen={chosen} /></Panel>}
    </div>
  );
}
