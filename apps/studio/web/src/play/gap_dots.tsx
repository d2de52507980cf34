// Runs without bodies: each contact is a dot above the line that it may not cross, its normal force an arrow.
//
// Gaps of a chatter span many decades, so heights are asinh(gap/s): even up to s, logarithmic beyond.
import { useMemo } from 'preact/hooks';
import { format } from '../format';
import { useSize } from '../ui';
import { useSignal, type Clock } from './clock';
import { branchColour, contactColour, type Palette } from './palette';
import { power } from './time_scale';
import { leavingPiece, sampleAt, type Branch } from './tracks';

interface Heights {
  unit: number;   // s
  place: (gap: number) => number;  // 0 … 1 from bottom to top
  ticks: number[];
}

function sizes(branch: Branch): number[] {
  return branch.gap.flat().map((gap) => Math.abs(gap ?? 0)).filter((size) => size > 0);
}

export function heights(branch: Branch): Heights {
  const all = sizes(branch);
  const most = Math.max(...all, 1e-9);
  const pressed = -Math.min(0, ...branch.gap.flat().map((gap) => gap ?? 0));
  const decades = Math.log10(most / Math.max(Math.min(...all, most), 1e-12 * most));
  const unit = most * 10 ** -Math.min(6, Math.max(1, decades));
  const [low, high] = [-Math.asinh(Math.max(pressed, unit) / unit), Math.asinh(most / unit)];
  const place = (gap: number) => 0.14 + (0.7 * (Math.asinh(gap / unit) - low)) / (high - low);
  const ticks: number[] = [];
  for (let k = Math.floor(Math.log10(most)); 10 ** k > 2 * unit; --k) ticks.push(10 ** k);
  return { unit, place, ticks: ticks.slice(0, 7) };
}

interface DotProps {
  branch: Branch;
  sample: number;
  contact: number;
  x: number;
  y: (gap: number) => number;
  colour: string;
  ghost: boolean;
}

function Dot(props: DotProps) {
  const { branch, sample, contact, x } = props;
  const gap = branch.gap[contact]?.[sample];
  const forces = branch.lambda[contact * branch.rows + branch.rows - 1] ?? [];
  const force = forces[sample] ?? 0;
  const most = forces.reduce<number>((largest, value) => Math.max(largest, value ?? 0), 1e-300);
  if (gap === undefined || gap === null) return null;
  const y = props.y(gap);
  const length = 60 * Math.sqrt(Math.max(0, force) / most);
  return (
    <g opacity={props.ghost ? 0.45 : 1}>
      {length > 3 && !props.ghost && (
        <path class="force" d={`M${x},${y - 9} v${-length} m-5,7 l5,-7 l5,7`} />
      )}
      <circle cx={x} cy={y} r={props.ghost ? 6 : 9} fill={props.colour} />
    </g>
  );
}

interface Sheet {
  width: number;
  height: number;
  x: (contact: number) => number;
  y: (gap: number) => number;
}

function Ground(props: { sheet: Sheet; ticks: number[] }) {
  const { width, height, y } = props.sheet;
  return (
    <>
      <rect class="ground" x="54" y={y(0)} width={Math.max(0, width - 64)} height={Math.max(0, height - y(0))} />
      <path class="surface" d={`M54,${y(0)} H${width - 10}`} />
      <text x="48" y={y(0) + 4} text-anchor="end">0</text>
      {props.ticks.map((tick) => (
        <g key={tick}>
          <path class="tick" d={`M54,${y(tick)} H${width - 10}`} />
          <text x="48" y={y(tick) + 4} text-anchor="end">{power(Math.round(Math.log10(tick)))} m</text>
        </g>
      ))}
    </>
  );
}

interface GapDotsProps {
  branch: Branch;
  ghosts: Branch[];
  clock: Clock;
  palette: Palette;
}

function ContactColumn(props: GapDotsProps & { sheet: Sheet; contact: number; sample: number }) {
  const { branch, contact, sample, palette, sheet } = props;
  const t = props.clock.t.value;
  const gap = branch.gap[contact]?.[sample] ?? 0;
  const place = { contact, x: sheet.x(contact), y: sheet.y };
  const shown = props.ghosts.filter((ghost) => (leavingPiece(branch, ghost)?.from ?? Infinity) <= t);
  return (
    <g>
      <path class="rod" d={`M${place.x},${sheet.y(0)} V${sheet.y(gap)}`} />
      {shown.map((ghost) => (
        <Dot key={ghost.track} {...place} x={place.x + 16} branch={ghost} sample={sampleAt(ghost, t)} colour={branchColour(palette, ghost.track)} ghost />
      ))}
      <Dot {...place} branch={branch} sample={sample} colour={contactColour(palette, contact)} ghost={false} />
      <text class="name" x={place.x} y={sheet.height - 12} text-anchor="middle">{branch.contacts[contact]}: {format(gap, 3)} m</text>
    </g>
  );
}

export function GapDots(props: GapDotsProps) {
  const { branch, clock } = props;
  const [measure, size] = useSize();
  const sample = useSignal(clock.t, (t) => sampleAt(branch, t));
  const scale = useMemo(() => heights(branch), [branch]);
  const sheet: Sheet = {
    ...size,
    x: (contact) => 64 + ((size.width - 84) * (contact + 0.5)) / branch.contacts.length,
    y: (gap) => size.height * (1 - scale.place(gap)),
  };
  const mode = branch.mode[sample] ?? '';
  return (
    <div class="gap-dots" ref={measure} data-testid="mechanism" data-kind="gaps" data-ready={size.height > 0}>
      <svg width={size.width} height={size.height} role="img" aria-label={`gaps of the contacts, mode ${mode}`}>
        <Ground sheet={sheet} ticks={scale.ticks} />
        {branch.contacts.map((name, contact) => <ContactColumn key={name} {...props} sheet={sheet} contact={contact} sample={sample} />)}
      </svg>
      <p class="hint">mode {mode} · heights even up to {format(scale.unit, 2)} m, logarithmic beyond; arrows: square root of the force</p>
    </div>
  );
}
