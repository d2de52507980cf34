// How the run is computed. Each change is a step that the back button undoes.
import type { PlaySettings } from '../state';
import { JobBar, NumberField, Select } from '../ui';
import type { SceneReport } from '../types';
import { setPlay } from './clock';
import type { RunWatch } from './run_job';

const methods: { value: PlaySettings['method']; text: string }[] = [
  { value: '', text: 'as the program chooses' },
  { value: 'event', text: 'rigid, event by event' },
  { value: 'step', text: 'rigid, time steps' },
  { value: 'compliant', text: 'springs (compliant)' },
];
const policies: { value: PlaySettings['policy']; text: string }[] = [
  { value: 'all', text: 'all of them' },
  { value: 'principle', text: 'Painlevé’s principle' },
  { value: 'stiff-limit', text: 'the stiff limit' },
  { value: 'seeded', text: 'one, drawn by lot' },
];

function start(change: Partial<PlaySettings>) {
  setPlay({ ...change, track: 0, ghosts: [], t: 0, zoom: -1 }, true);
}

export function PlaySettingsBar(props: { settings: PlaySettings; scene: SceneReport; run: RunWatch }) {
  const { settings, scene, run } = props;
  const raw = scene.kind !== 'mechanism';
  const springs = settings.method === 'compliant' || (raw && settings.method === '');
  const open = methods.filter((one) => !raw || one.value === '' || one.value === 'compliant' || one.value === settings.method);
  return (
    <div class="play-settings">
      <label>
        <span>method</span>
        <Select label="method" testid="play-method" value={settings.method} options={open} onChange={(method) => start({ method })} />
      </label>
      <label title={springs ? 'with springs there is always one continuation' : ''} class={springs ? 'idle' : ''}>
        <span>of several continuations</span>
        <Select label="policy" testid="play-policy" value={settings.policy} options={policies} onChange={(policy) => start({ policy })} />
      </label>
      <label>
        <span>until</span>
        <NumberField label="end of the run" testid="play-t-end" unit="s" room={75} value={settings.t_end} onChange={(t_end) => t_end > 0 && start({ t_end })} />
      </label>
      {settings.method === 'step' && (
        <label>
          <span>step</span>
          <NumberField label="time step" testid="play-dt" unit="s" room={75} value={settings.dt} onChange={(dt) => dt > 0 && start({ dt })} />
        </label>
      )}
      <JobBar job={run.job} error={run.error} cancel={run.cancel} testid="play-job" />
    </div>
  );
}
