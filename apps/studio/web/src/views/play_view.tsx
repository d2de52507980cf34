// Play: run any of the simulators and see every future, with a time line and linked plots.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { branchCsv } from '../export/csv';
import { useOfferedData } from '../export/registry';
import { useLive } from '../live';
import { setPlay, Signal, useClock } from '../play/clock';
import { EventList } from '../play/events';
import { tracksWithJumps } from '../play/jumps';
import { LedgerPanel } from '../play/ledger';
import { usePalette } from '../play/palette';
import { LinkedPlots } from '../play/plots';
import { useRun, type RunWatch } from '../play/run_job';
import { PlaySettingsBar } from '../play/settings';
import { Stage } from '../play/stage';
import { evenScale, logarithmicScale, smallestDistance, type TimeScale } from '../play/time_scale';
import { Timeline, type SpeedChoice } from '../play/timeline';
import { ancestry, branchOf, extent, leafBelow, leaves, type Branch } from '../play/tracks';
import { FuturesTree } from '../play/tree';
import { current, useStore } from '../store';
import type { Hello, SimulateResult } from '../types';
import { Panel } from '../ui';
import './play.css';

const wholeRun = 5;    // [s] that a run takes to play
const firstGhosts = 6;  // shown without being asked for

// The address may say anything.
function chosenGhosts(): number[] {
  const ghosts: unknown = current().play.ghosts;
  return Array.isArray(ghosts) ? ghosts.filter((ghost): ghost is number => Number.isInteger(ghost)) : [];
}

// A run that is new and has several futures shows them: one is played, others beside it.
function useFirstChoice(result: SimulateResult | null, stale: boolean) {
  useEffect(() => {
    const fresh = current().play.track === 0 && chosenGhosts().length === 0;
    if (!result || stale || result.tracks.length < 2 || !fresh) return;
    const [first, ...others] = leaves(result.tracks);
    setPlay({ track: first!, ghosts: others.slice(0, firstGhosts) });
  }, [result, stale]);
}

function timeScale(branch: Branch, ends: [number, number], zoom: number): TimeScale {
  const event = branch.events[zoom];
  const delta = event ? smallestDistance(event.t, [...branch.t, ...branch.eventTimes]) : null;
  return event && delta !== null ? logarithmicScale(event.t, delta, ends[0], ends[1]) : evenScale(ends[0], ends[1]);
}

// Another branch: the zoom stays if the event is on it, too.
function chooseTrack(result: SimulateResult, track: number, played: Branch) {
  const leaf = leafBelow(result.tracks, track);
  if (leaf === played.track) return;
  const ghosts = chosenGhosts();
  const about = played.events[current().play.zoom];
  const events = branchOf(result.tracks, leaf).events;
  const same = about ? events.findIndex((event) => event.t === about.t && event.kind === about.kind) : -1;
  const chain = ancestry(result.tracks, leaf);
  // The branch that was played stays as a ghost where there are ghosts at all.
  const others = ghosts.length > 0 ? [...ghosts, played.track] : ghosts;
  setPlay({ track: leaf, zoom: same, ghosts: [...new Set(others)].filter((index) => !chain.includes(index)) });
}

function toggleGhost(track: number) {
  const ghosts = chosenGhosts();
  setPlay({ ghosts: ghosts.includes(track) ? ghosts.filter((one) => one !== track) : [...ghosts, track] });
}

function useBranches(result: SimulateResult, track: number, ghosts: number[]) {
  const { tracks } = result;
  const leaf = leafBelow(tracks, tracks[track] ? track : 0);
  const played = useMemo(() => branchOf(tracks, leaf), [tracks, leaf]);
  const known = ghosts.filter((ghost) => ghost > 0 && ghost < tracks.length && ghost !== leaf);
  const shown = useMemo(() => known.map((ghost) => branchOf(tracks, ghost)), [tracks, known.join()]);
  return { played, ghosts: shown };
}

// Everything that follows from the run and from what is chosen on it.
function usePlayer(given: SimulateResult, speed: SpeedChoice) {
  const { play } = useStore();
  const palette = usePalette();
  const result = useMemo(() => tracksWithJumps(given), [given]);
  const chosen = chosenGhosts();
  const { played, ghosts } = useBranches(result, play.track, chosen);
  const ends = useMemo(() => extent(result.tracks), [result]);
  const scale = useMemo(() => timeScale(played, ends, play.zoom), [played, ends, play.zoom]);
  const rate = scale.event !== null || speed === 'auto' ? (scale.to - scale.from) / wholeRun : Number(speed);
  const clock = useClock(Math.min(ends[1], Math.max(ends[0], play.t)), scale, rate);
  const setZoom = (zoom: number) => {
    const event = played.events[zoom];
    if (event) clock.seek(event.t);
    setPlay({ zoom });
  };
  return { result, palette, played, ghosts, chosen, scale, clock, zoom: play.zoom, setZoom, autoSpeed: (ends[1] - ends[0]) / wholeRun };
}

function FuturesPanel(props: ReturnType<typeof usePlayer>) {
  const { result, played } = props;
  const ways = leaves(result.tracks).length;
  const title = ways > 1 ? `${ways} futures` : result.tracks.length > 1 ? 'What follows' : '';
  return (
    <Panel class="futures" title={title}>
      <FuturesTree
        result={result}
        scale={props.scale}
        palette={props.palette}
        track={played.track}
        ghosts={props.chosen}
        choose={(track) => chooseTrack(result, track, played)}
        toggleGhost={toggleGhost}
      />
    </Panel>
  );
}

function Player(props: { result: SimulateResult; sceneKey: string }) {
  const [speed, setSpeed] = useState<SpeedChoice>('auto');
  const hover = useMemo(() => new Signal<number | null>(null), []);
  const player = usePlayer(props.result, speed);
  const { result, played, ghosts, scale, palette, clock, zoom, setZoom } = player;
  useOfferedData('run', () => props.result, () => branchCsv(ancestry(props.result.tracks, played.track).map((track) => props.result.tracks[track]!)));
  const shared = { played, ghosts, scale, palette, clock };
  return (
    <>
      <div class="play-left">
        <div class="stage"><Stage result={result} sceneKey={props.sceneKey} {...shared} /></div>
        <FuturesPanel {...player} />
        {played.events.length > 0 && (
          <Panel class="event-panel" title={`Events on this branch: ${played.events.length}`}>
            <EventList branch={played} clock={clock} zoom={zoom} setZoom={setZoom} />
          </Panel>
        )}
      </div>
      <div class="play-right">
        <LinkedPlots {...shared} hover={hover} branches={result.tracks.length} rigid={result.report.method === 'event'} />
        <LedgerPanel result={result} track={played.track} />
      </div>
      <Timeline branch={played} scale={scale} clock={clock} speed={speed} autoSpeed={player.autoSpeed} chooseSpeed={setSpeed} leaveZoom={() => setZoom(-1)} />
    </>
  );
}

function Waiting(props: { run: RunWatch }) {
  return <p class="hint waiting" role="status">{props.run.error ? 'There is no run to show.' : 'The motion is computed …'}</p>;
}

export function PlayView(_props: { hello: Hello }) {
  const state = useStore();
  const live = useLive();
  const run = useRun(state);
  useFirstChoice(run.result, run.stale);
  const usable = run.result && run.result.tracks.length > 0 ? run.result : null;
  return (
    <div class={`view play ${run.stale && usable ? 'stale' : ''}`} data-testid="view-play" data-stale={run.stale}>
      {live.scene && <PlaySettingsBar settings={state.play} scene={live.scene} run={run} />}
      {usable ? <Player result={usable} sceneKey={`play ${state.scene.name ?? 'own'}`} /> : <Waiting run={run} />}
    </div>
  );
}
