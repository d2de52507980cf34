// The played branch at the time shown, with what acts at its contacts, and the ghosts of the other branches.
//
// The frame nearest in time is drawn (of an event only from the event on); none is made up between two.
import { useMemo } from 'preact/hooks';
import { MechanismView, type Figure } from '../scene/mechanism_view';
import type { SimulateResult } from '../types';
import { useSignal, type Clock } from './clock';
import { GapDots } from './gap_dots';
import { labelledOnce } from './labels';
import { branchColour, type Palette } from './palette';
import { frameAt, leavingPiece, sampleAt, type Branch, type Values } from './tracks';
import { whyWords } from './tree';

interface StageProps {
  result: SimulateResult;
  sceneKey: string;
  played: Branch;
  ghosts: Branch[];
  clock: Clock;
  palette: Palette;
}

const closedGap = 1e-9;  // [m] as the program has it by default

// All components of a sample; nothing where one is not known.
function at(rows: Values[], sample: number): number[] | undefined {
  const values = rows.map((row) => row[sample]);
  return values.every((value) => typeof value === 'number') ? values : undefined;
}

function closedContacts(branch: Branch, sample: number): boolean[] {
  return branch.contacts.map((_, contact) => {
    const normal = branch.lambda[contact * branch.rows + branch.rows - 1]?.[sample] ?? 0;
    return normal !== 0 || Math.abs(branch.gap[contact]?.[sample] ?? Infinity) <= closedGap;
  });
}

function playedFigure(branch: Branch, frame: number, sample: number, colour: string | undefined): Figure {
  const [forces, velocities] = [at(branch.lambda, sample), at(branch.u, sample)];
  return {
    drawing: branch.frames[frame]!.drawing,
    opacity: 1,
    closed: closedContacts(branch, sample),
    ...(colour ? { colour } : {}),
    ...(forces ? { forces } : {}),
    ...(velocities ? { velocities } : {}),
  };
}

// A ghost is there from where its branch leaves the played one, and stays where it ended.
function ghostFigures(props: StageProps, t: number): { branch: Branch; frame: number }[] {
  return props.ghosts.flatMap((branch) => {
    const left = leavingPiece(props.played, branch);
    if (!left || t < left.from || branch.frames.length === 0) return [];
    return [{ branch, frame: frameAt(branch, t) }];
  });
}

// Short enough for branches that are close to each other; the list says the rest.
function shortWhy(props: StageProps, branch: Branch): string {
  const why = whyWords(props.result.tracks[branch.track]!, branch.track);
  const step = /^solution \d+ of \d+ \((\S+) /.exec(why);
  const first = step?.[1] ?? why.replace(/^(mode|impact without collision) /, '').split(',')[0]!;
  return first.length > 22 ? `${first.slice(0, 21)}…` : first;
}

function BodyStage(props: StageProps) {
  const { played, clock, palette } = props;
  const frame = useSignal(clock.t, (t) => frameAt(played, t));
  const sample = useSignal(clock.t, (t) => sampleAt(played, t));
  const shown = useSignal(clock.t, (t) => ghostFigures(props, t).map((ghost) => `${ghost.branch.track}:${ghost.frame}`).join());
  const several = props.result.tracks.length > 1;
  const figures = useMemo(() => {
    const colour = several ? branchColour(palette, played.track) : undefined;
    const first = playedFigure(played, frame, sample, colour);
    if (props.ghosts.length > 0 && shown) first.label = shortWhy(props, played);
    const rest = ghostFigures(props, clock.t.value).map(({ branch, frame: index }) => ({
      drawing: branch.frames[index]!.drawing,
      opacity: 0.45,
      colour: branchColour(palette, branch.track),
      label: shortWhy(props, branch),
    }));
    return labelledOnce([first, ...rest]);
  }, [played, props.ghosts, frame, sample, shown, palette]);
  return <MechanismView figures={figures} sceneKey={props.sceneKey} />;
}

export function Stage(props: StageProps) {
  if (props.played.frames.length > 0) return <BodyStage {...props} />;
  return <GapDots branch={props.played} ghosts={props.ghosts} clock={props.clock} palette={props.palette} />;
}
