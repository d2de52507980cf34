// The tree of futures: one line per track over time, why each was taken, how it ends. One track: only its ending.
import { modeText } from '../format';
import { useSize } from '../ui';
import type { SimulateResult, Track } from '../types';
import { branchColour, type Palette } from './palette';
import type { TimeScale } from './time_scale';
import { ancestry, beginning, ending, endingWords } from './tracks';

const row = 37;  // [px] high, as in the style sheet

interface TreeProps {
  result: SimulateResult;
  scale: TimeScale;
  palette: Palette;
  track: number;     // the leaf that is played
  ghosts: number[];
  choose: (track: number) => void;
  toggleGhost: (track: number) => void;
}

export function whyWords(track: Track, index: number): string {
  return track.why ? modeText(track.why) : (index === 0 ? 'from the start' : `branch ${index}`);
}

function Ending(props: { x: number; y: number; stopped: string; colour: string }) {
  const { x, y, colour } = props;
  if (props.stopped === 'branched') return null;
  if (props.stopped === 't_end') return <path d={`M${x - 5},${y - 4} L${x},${y} L${x - 5},${y + 4}`} stroke={colour} fill="none" stroke-width="2" />;
  return <path d={`M${x - 4},${y - 4} l8,8 m0,-8 l-8,8`} stroke={colour} stroke-width="2.5" fill="none" />;
}

function Lines(props: TreeProps & { width: number }) {
  const { tracks } = props.result;
  const played = new Set(ancestry(tracks, props.track));
  const inner = props.width - 18;
  const place = (t: number) => 8 + (inner * (props.scale.toX(t) - props.scale.from)) / (props.scale.to - props.scale.from);
  const height = (index: number) => row * index + row / 2;
  return (
    <svg class="tree-lines" width={props.width} height={row * tracks.length} aria-hidden="true">
      {tracks.map((track, index) => {
        const colour = branchColour(props.palette, index);
        const strong = played.has(index);
        const [from, to, y] = [place(beginning(tracks, index)), place(ending(tracks, index)), height(index)];
        const thick = strong ? 3.5 : 1.5;
        return (
          <g key={index} class={strong || props.ghosts.includes(index) ? '' : 'quiet'} onClick={() => props.choose(index)}>
            <title>{`${whyWords(track, index)}: ${endingWords(tracks, index)}`}</title>
            {track.parent >= 0 && <path d={`M${from},${height(track.parent)} V${y}`} stroke={colour} stroke-width={thick} />}
            <path d={`M${from},${y} H${to}`} stroke={colour} stroke-width={thick} />
            {track.parent >= 0 && <circle cx={from} cy={height(track.parent)} r="3.5" fill={branchColour(props.palette, track.parent)} />}
            <Ending x={to} y={y} stopped={track.stopped} colour={colour} />
            <rect x="0" y={y - row / 2} width={props.width} height={row} fill="transparent" />
          </g>
        );
      })}
    </svg>
  );
}

function TrackRow(props: TreeProps & { index: number }) {
  const { result, index, palette } = props;
  const track = result.tracks[index]!;
  const why = whyWords(track, index);
  const played = ancestry(result.tracks, props.track).includes(index);
  return (
    <li class={played ? 'played' : ''}>
      <input
        type="checkbox"
        data-testid={`play-ghost-${index}`}
        aria-label={`show as a ghost: ${why}`}
        title="show beside the played one"
        checked={props.ghosts.includes(index)}
        disabled={played}
        onChange={() => props.toggleGhost(index)}
      />
      <button
        type="button"
        data-testid={`play-track-${index}`}
        aria-pressed={index === props.track}
        title={[why, endingWords(result.tracks, index), track.stop_reason].filter(Boolean).join('\n')}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => props.choose(index)}
      >
        <i class="swatch" style={{ background: branchColour(palette, index) }} />
        <span class="why">{why}</span>
        <span class="ends">{endingWords(result.tracks, index)}</span>
      </button>
    </li>
  );
}

export function FuturesTree(props: TreeProps) {
  const [measure, size] = useSize();
  const { tracks } = props.result;
  if (tracks.length === 1) {
    return (
      <div class="one-ending" data-testid="play-track-0">
        <b>One motion.</b> It {endingWords(tracks, 0)}. {tracks[0]!.stop_reason}
      </div>
    );
  }
  return (
    <div class="tree">
      <div class="tree-picture" ref={measure}>{size.width > 40 && <Lines {...props} width={size.width} />}</div>
      <ul>{tracks.map((_, index) => <TrackRow key={index} {...props} index={index} />)}</ul>
    </div>
  );
}
