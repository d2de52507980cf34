// The fast dynamics of one contact on a spring and a damper: what happens within the time that rigid mechanics calls an
// instant. A click starts a trajectory.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useOfferedData } from '../export/registry';
import { format } from '../format';
import { useLive } from '../live';
import { clippedLine, inside, pathOf, type Point } from '../plot/clip';
import { colourOfStart, fateWords, forcePlot, portraitPlot, portraitWords, validStarts } from '../plot/fast_portrait';
import type { PlotFrame } from '../plot/frame';
import { arrowHead } from '../plot/layers';
import { PlotView } from '../plot/plot_view';
import { onPaper } from '../plot/on_paper';
import type { PaperColours } from '../theme';
import { useTrajectories } from '../plot/trajectories';
import { useQuestion } from '../question';
import type { FastSettings } from '../state';
import { current, update, useStore } from '../store';
import type { FastReply, FastTrajectory, Hello } from '../types';
import { NumberField, Panel, Select } from '../ui';
import './fast.css';

const mostStarts = 12;

function change(settings: Partial<FastSettings>) {
  update({ fast: { ...current().fast, ...settings } });
}

function addStart(start: Point) {
  change({ starts: [...validStarts(current().fast.starts), start].slice(-mostStarts) });
}

const least = -2;
const most = 8;

// Decades along the slider; what is typed may lie beyond.
function LogarithmicSlider(props: { name: string; label: string; unit: string; value: number; zero: boolean; testid: string; onChange: (value: number) => void }) {
  const at = props.value > 0 ? Math.min(most, Math.max(least, Math.log10(props.value))) : least;
  const move = (decade: number) => props.onChange(Number((10 ** Math.min(most, Math.max(least, decade))).toPrecision(3)));
  return (
    <label class="setting" title={props.label}>
      <span>{props.name}</span>
      <input
        type="range" min={least} max={most} step="any" value={at} aria-label={props.label} data-testid={`${props.testid}-slider`}
        aria-valuetext={`${format(props.value)} ${props.unit}`}
        onInput={(event) => move(Number(event.currentTarget.value))}
        onKeyDown={(event) => {
          const steps: Record<string, number> = { ArrowRight: 0.1, ArrowUp: 0.1, ArrowLeft: -0.1, ArrowDown: -0.1, PageUp: 1, PageDown: -1 };
          const step = steps[event.key];
          if (!step) return;
          event.preventDefault();
          move(at + step);
        }}
      />
      <NumberField value={props.value} unit={props.unit} room={80} label={props.label} testid={props.testid} onChange={(value) => (value > 0 || (props.zero && value === 0)) && props.onChange(value)} />
    </label>
  );
}

function Controls() {
  const { fast } = useStore();
  const live = useLive();
  const names = live.reply?.analysis.contacts.map((contact) => contact.name) ?? [];
  const [start, setStart] = useState<Point>([0, 0]);
  return (
    <div class="controls">
      <Select
        label="contact" testid="fast-contact" value={String(fast.contact)}
        options={names.map((name, index) => ({ value: String(index), text: `contact ${name}` }))}
        onChange={(index) => change({ contact: Number(index), starts: [] })}
      />
      <LogarithmicSlider name="k" label="stiffness of the spring" unit="N/m" value={fast.stiffness} zero={false} testid="fast-stiffness" onChange={(stiffness) => change({ stiffness })} />
      <LogarithmicSlider name="ν" label="damping" unit="N s/m" value={fast.damping} zero testid="fast-damping" onChange={(damping) => change({ damping })} />
      <span class="setting start">
        <span>start at</span>
        <NumberField value={start[0]} unit="m" room={64} label="gap at the start" testid="fast-start-y" onChange={(y) => setStart([y, start[1]])} />
        <NumberField value={start[1]} unit="m/s" room={64} label="normal velocity at the start" testid="fast-start-v" onChange={(v) => setStart([start[0], v])} />
        <button type="button" data-testid="fast-start" onClick={() => addStart(start)}>Start</button>
      </span>
      <button type="button" data-testid="fast-clear" disabled={fast.starts.length === 0} onClick={() => change({ starts: [] })}>Clear</button>
    </div>
  );
}

// Arrows of equal length: the direction is what matters, the speed differs by powers of ten.
function Field(props: { reply: FastReply; frame: PlotFrame; colours: PaperColours }) {
  const { frame, colours } = props;
  const { field, window: w } = props.reply;
  const length = 15;
  // Directions come in units of the window; both axes are linear, so that the window has one size on the screen.
  const [left, bottom] = frame.at([w.y_from, w.v_from]);
  const [right, top] = frame.at([w.y_to, w.v_to]);
  const arrows = field.flatMap(({ at, direction }) => {
    const from = frame.at(at);
    const [x, y] = [direction[0] * (right - left), direction[1] * (top - bottom)];
    const size = Math.hypot(x, y);
    if (!(size > 0) || !inside(frame.area, from)) return [];
    const e: Point = [x / size, y / size];
    const tip: Point = [from[0] + (e[0] * length) / 2, from[1] + (e[1] * length) / 2];
    const tail: Point = [from[0] - (e[0] * length) / 2, from[1] - (e[1] * length) / 2];
    return inside(frame.area, tip) && inside(frame.area, tail) ? [{ tail, tip }] : [];
  });
  return (
    <g opacity={0.65}>
      <path d={pathOf(arrows.map(({ tail, tip }) => [tail, tip]))} stroke={colours.faint} stroke-width={1.1} fill="none" />
      <path d={arrows.map(({ tail, tip }) => arrowHead(tail, tip, 5)).join('')} fill={colours.faint} />
    </g>
  );
}

const drawingTime = 1400;  // [ms]

// The way forward is drawn once from its start; who asked the system for less motion sees it whole at once.
function Way(props: { trajectory: FastTrajectory; colour: string; frame: PlotFrame }) {
  const { trajectory, colour, frame } = props;
  const path = useRef<SVGPathElement>(null);
  const [drawn, setDrawn] = useState(() => window.matchMedia('(prefers-reduced-motion: reduce)').matches);
  useEffect(() => {
    const line = path.current;
    if (!line || drawn) return;
    const begin = performance.now();
    let request = 0;
    const draw = (now: number) => {
      const part = Math.min(1, (now - begin) / drawingTime);
      if (part < 1) {
        line.setAttribute('pathLength', '1');
        line.setAttribute('stroke-dasharray', `${part} 2`);
        request = requestAnimationFrame(draw);
      } else {
        line.removeAttribute('pathLength');
        line.removeAttribute('stroke-dasharray');
        setDrawn(true);
      }
    };
    request = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(request);
  }, []);
  const ahead = clippedLine(trajectory.points.map(frame.at), frame.area);
  const last = ahead.at(-1);
  return (
    <g>
      <path d={pathOf(clippedLine(trajectory.past.map(frame.at), frame.area))} stroke={colour} stroke-width={1.5} stroke-dasharray="5 5" fill="none" />
      <path ref={path} d={pathOf(ahead)} stroke={colour} stroke-width={2.6} fill="none" />
      {drawn && last && last.length > 4 && <path d={arrowHead(last.at(-5)!, last.at(-1)!, 10)} fill={colour} />}
    </g>
  );
}

function Ways(props: { starts: Point[]; ways: (FastTrajectory | null)[]; frame: PlotFrame; colours: PaperColours }) {
  return (
    <g>
      {props.starts.map((start, index) => {
        const colour = onPaper(colourOfStart(index), props.colours);
        const way = props.ways[index];
        const [x, y] = props.frame.at(start);
        return (
          <g key={JSON.stringify(start)}>
            {way && <Way trajectory={way} colour={colour} frame={props.frame} />}
            {inside(props.frame.area, [x, y]) && <circle cx={x} cy={y} r={4.5} fill={colour} stroke={props.colours.paper} stroke-width={1.5} />}
          </g>
        );
      })}
    </g>
  );
}

function Fates(props: { starts: Point[]; ways: (FastTrajectory | null)[] }) {
  const { starts, ways } = props;
  if (starts.length === 0) return <p class="hint" data-testid="fast-fate">Click in the portrait to start a trajectory there.</p>;
  const shown = starts.map((start, index) => ({ start, index, fate: ways[index]?.fate })).reverse();
  return (
    <ul class="fates">
      {shown.map(({ start, index, fate }, row) => (
        <li key={index} data-testid={row === 0 ? 'fast-fate' : undefined} data-fate={fate}>
          <span class="dot" style={{ backgroundColor: colourOfStart(index) }} aria-hidden="true" />
          <span>from gap {format(start[0], 3)} m at {format(start[1], 3)} m/s: {fate ? fateWords[fate] : '…'}</span>
        </li>
      ))}
    </ul>
  );
}

export function FastView(_props: { hello: Hello }) {
  const { scene, fast } = useStore();
  const live = useLive();
  const { contact, stiffness, damping } = fast;
  const starts = validStarts(fast.starts).slice(-mostStarts);
  const question = { scene, contact, stiffness, damping };
  const { reply, error, fresh } = useQuestion<FastReply>('fast', question);
  const ways = useTrajectories(question, fresh && reply ? reply.window : null, starts);
  useOfferedData('fast', () => {
    if (!reply) return null;
    const { window: shown, equilibria, separatrices } = reply;
    return { stiffness, damping, window: shown, equilibria, separatrices, trajectories: starts.map((start, index) => ({ start, ...ways.of[index] })) };
  });
  const analysed = live.reply?.analysis.contacts[contact];
  const several = (live.reply?.analysis.contacts.length ?? 0) > 1;
  const forces = ways.of.flatMap((trajectory, index) => (trajectory ? [{ index, trajectory }] : []));
  return (
    <div class="view fast" data-testid="view-fast">
      <Controls />
      {error && <p class="error" role="alert" data-testid="fast-refused">{error}</p>}
      {reply && (
        <div class="pictures">
          <Panel class="portrait">
            <PlotView
              plot={portraitPlot(reply, stiffness, damping)} testid="fast-plot" picture
              label={`phase portrait of the fast dynamics: gap and normal velocity, ${reply.equilibria.length} equilibria`}
              onClick={(point) => addStart(point)}
              overlay={(frame, colours) => [
                <Field key="field" reply={reply} frame={frame} colours={colours} />,
                <Ways key="ways" starts={starts} ways={ways.of} frame={frame} colours={colours} />,
              ]}
            />
          </Panel>
          <div class="beside">
            <Panel title="What is seen">
              <p class="words" data-testid="fast-words">{analysed ? portraitWords(reply, analysed, damping) : ''}</p>
              <p class="hint">Spring and damper that cannot pull, λₙ = max(0, −k·gap − ν·uₙ). The springs of Play follow the compliance of the scenario.</p>
              {several && <p class="hint">The other contacts are taken as open: they carry no force here.</p>}
            </Panel>
            <Panel title="Trajectories" class="ways">
              <Fates starts={starts} ways={ways.of} />
              {ways.error && <p class="error" role="alert">{ways.error}</p>}
              {forces.length > 0 && <div class="force"><PlotView plot={forcePlot(forces)} testid="fast-force" label="force along the trajectories" /></div>}
            </Panel>
          </div>
        </div>
      )}
    </div>
  );
}
