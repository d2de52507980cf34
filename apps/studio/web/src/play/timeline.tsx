// The time line: flags of the events above a slider, the button that plays, the speed, the way out of the zoom.
import { useLayoutEffect } from 'preact/hooks';
import { format, modeText } from '../format';
import { Select, useSize } from '../ui';
import { useSignal, type Clock } from './clock';
import { clusterFlags, countText, eventAfter, eventSigns, eventWords, type Flag } from './flags';
import type { TimeScale } from './time_scale';
import { sampleAt, type Branch } from './tracks';

const flagWidth = 26;   // [px]
const thumbWidth = 14;  // [px] of the slider, as in the style sheet: its ends are half of that from the edge

export type SpeedChoice = 'auto' | '0.1' | '0.2' | '0.5' | '1' | '2';

interface TimelineProps {
  branch: Branch;
  scale: TimeScale;
  clock: Clock;
  speed: SpeedChoice;
  autoSpeed: number;  // of real time, at which the run takes five seconds
  chooseSpeed: (speed: SpeedChoice) => void;
  leaveZoom: () => void;
}

function distanceText(distance: number): string {
  return `${distance < 0 ? '−' : '+'} ${format(Math.abs(distance), 4)} s`;
}

export function timeText(t: number, scale: TimeScale): string {
  if (scale.event === null) return `t = ${format(t, 6)} s`;
  return `t = ${format(scale.event, 6)} s ${distanceText(t - scale.event)}`;
}

// Numbers are those of a sample; where that is not as good as at t, it is said which.
function sampleText(t: number, props: TimelineProps): string {
  const { branch, scale } = props;
  const at = branch.t[sampleAt(branch, t)];
  const far = at !== undefined && Math.abs(scale.toX(at) - scale.toX(t)) > 0.01 * (scale.to - scale.from);
  if (!far) return '';
  return ` · numbers of the sample at ${scale.event === null ? `${format(at, 6)} s` : distanceText(at - scale.event)}`;
}

function flagTitle(branch: Branch, flag: Flag): string {
  const lines = flag.events.slice(0, 8).map((index) => {
    const event = branch.events[index]!;
    const contact = event.contact ? ` ${event.contact}` : '';
    return `${eventWords[event.kind] ?? event.kind}${contact} at t = ${format(event.t, 7)} s → ${modeText(event.mode)}`;
  });
  if (flag.events.length > 8) lines.push(`and ${flag.events.length - 8} more`);
  return lines.join('\n');
}

function Flags(props: TimelineProps & { width: number }) {
  const { branch, scale, clock } = props;
  const inner = props.width - thumbWidth;
  const place = (t: number) => thumbWidth / 2 + (inner * (scale.toX(t) - scale.from)) / (scale.to - scale.from);
  const times = branch.eventTimes;
  return (
    <div class="flags">
      {scale.ticks(Math.max(2, Math.floor(inner / 80))).map((tick) => (
        <span key={tick.x} class="tick" style={{ left: `${thumbWidth / 2 + (inner * (tick.x - scale.from)) / (scale.to - scale.from)}px` }}>{tick.text}</span>
      ))}
      {clusterFlags(times.map(place), flagWidth).map((flag) => {
        const first = branch.events[flag.events[0]!]!;
        const many = flag.events.length > 1;
        return (
          <button
            key={flag.events[0]}
            type="button"
            class={`flag ${many ? 'many' : first.kind} ${flag.events.length > 99 ? 'crowd' : ''}`}
            style={{ left: `${flag.at}px` }}
            data-testid={`play-event-${flag.events[0]}`}
            title={flagTitle(branch, flag)}
            aria-label={many ? `${flag.events.length} events from t = ${format(first.t)} s on` : flagTitle(branch, flag)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => clock.seek(times[eventAfter(flag, times, clock.t.value)]!)}
          >
            {many ? countText(flag.events.length) : eventSigns[first.kind] ?? '·'}
          </button>
        );
      })}
    </div>
  );
}

function Slider(props: TimelineProps) {
  const { scale, clock } = props;
  const t = useSignal(clock.t, (value) => value);
  return (
    <>
      <input
        type="range"
        data-testid="play-timeline"
        aria-label="time"
        aria-valuetext={timeText(t, scale)}
        min={scale.from}
        max={scale.to}
        step="any"
        value={Math.min(scale.to, Math.max(scale.from, scale.toX(t)))}
        onInput={(event) => clock.seek(scale.toT(Number(event.currentTarget.value)))}
        onKeyDown={(event) => moveByKey(event, props)}
      />
      <output class="play-time" data-testid="play-time" data-t={t}>
        {timeText(t, scale)}
        <span class="hint">{sampleText(t, props)}</span>
      </output>
    </>
  );
}

// Arrows go by a hundredth of the axis, Page keys from event to event.
function moveByKey(event: KeyboardEvent, props: TimelineProps) {
  const { scale, clock, branch } = props;
  const t = clock.t.value;
  const step = (scale.to - scale.from) / 100;
  const x = Math.min(scale.to, Math.max(scale.from, scale.toX(t)));
  const along = (part: number) => scale.toT(Math.min(scale.to, Math.max(scale.from, x + part)));
  const times = branch.eventTimes;
  const goal =
    event.key === 'ArrowRight' || event.key === 'ArrowUp' ? along(step)
    : event.key === 'ArrowLeft' || event.key === 'ArrowDown' ? along(-step)
    : event.key === 'PageDown' ? times.find((one) => one > t)
    : event.key === 'PageUp' ? times.findLast((one) => one < t)
    : event.key === 'Home' ? scale.toT(scale.from)
    : event.key === 'End' ? scale.toT(scale.to)
    : null;
  if (goal === null) return;
  event.preventDefault();
  if (goal !== undefined) clock.seek(goal);
}

// Space plays and pauses, unless it is typed or presses a button.
function useSpace(toggle: () => void) {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== ' ' || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (target?.matches('button, select, summary, a, textarea, input:not([type=range])') || target?.isContentEditable) return;
      event.preventDefault();
      toggle();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

function SpeedSelect(props: TimelineProps) {
  const auto = props.scale.event === null ? `${format(props.autoSpeed, 2)}× real time` : 'even along the axis';
  const options = [
    { value: 'auto' as SpeedChoice, text: auto },
    ...(['0.1', '0.2', '0.5', '1', '2'] as SpeedChoice[]).map((value) => ({ value, text: `${value}×` })),
  ];
  return <Select label="speed" testid="play-speed" value={props.scale.event === null ? props.speed : 'auto'} options={props.scale.event === null ? options : options.slice(0, 1)} onChange={props.chooseSpeed} />;
}

export function Timeline(props: TimelineProps) {
  const [measure, size] = useSize();
  useSpace(props.clock.toggle);
  return (
    <div class="timeline">
      <button type="button" class="play-button" data-testid="play-button" aria-pressed={props.clock.playing} title="play or pause (space)" onMouseDown={(event) => event.preventDefault()} onClick={props.clock.toggle}>
        {props.clock.playing ? '❚❚' : '▶'}
        <span class="hidden">{props.clock.playing ? 'pause' : 'play'}</span>
      </button>
      <div class="rail" ref={measure}>
        {size.width > 40 && <Flags {...props} width={size.width} />}
        <Slider {...props} />
      </div>
      <SpeedSelect {...props} />
      {props.scale.event !== null && (
        <button type="button" data-testid="play-zoom-out" onClick={props.leaveZoom}>whole run</button>
      )}
    </div>
  );
}
