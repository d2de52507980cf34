// The page: header with scene, verdict and views; variables on the left; the view in the middle; the tour below.
import { useEffect, useState } from 'preact/hooks';
import { ExportMenu } from './export_menu';
import { HelpDialog } from './help';
import { useKeys } from './keys';
import { startLive, useLive } from './live';
import { call, openStream } from './server';
import { fromFragment, toFragment, views, type PageState, type View } from './state';
import { current, go, openedWithScene, openScene, token, update, useStore } from './store';
import { StoryPanel } from './story';
import type { Hello } from './types';
import { Select } from './ui';
import { VariablesPanel } from './variables';
import { VerdictBadge } from './verdict';
import { FastView } from './views/fast_view';
import { LimitView } from './views/limit_view';
import { MapView } from './views/map_view';
import { PlayView } from './views/play_view';
import { SceneView } from './views/scene_view';
import { SolutionsView } from './views/solutions_view';

export const viewNames: Record<View, string> = {
  scene: 'Scene',
  solutions: 'Solutions',
  map: 'Map',
  play: 'Play',
  fast: 'Fast dynamics',
  limit: 'Limit',
};
const viewParts = { scene: SceneView, solutions: SolutionsView, map: MapView, play: PlayView, fast: FastView, limit: LimitView };

function ScenePicker(props: { hello: Hello }) {
  const state = useStore();
  const own = state.scene.toml !== undefined;
  const options = props.hello.scenes.map((scene) => ({
    value: scene.name,
    text: scene.kind === 'scenario' ? `${scene.name}: ${scene.title}` : scene.name,
    group: scene.kind === 'scenario' ? 'Scenarios' : 'Mechanisms',
  }));
  if (own) options.unshift({ value: '', text: props.hello.start.toml ? 'your scenario' : 'a scenario of your own', group: 'Yours' });
  return (
    <Select
      label="scene"
      testid="scene-picker"
      value={own ? '' : state.scene.name ?? ''}
      options={options}
      onChange={(name) => name && openScene({ name })}
    />
  );
}

function Tabs() {
  const state = useStore();
  return (
    <nav class="tabs" role="tablist" aria-label="views">
      {views.map((view, index) => (
        <button
          key={view}
          type="button"
          role="tab"
          aria-selected={state.view === view}
          data-testid={`tab-${view}`}
          title={`key ${index + 1}`}
          onClick={() => go(view)}
        >
          {viewNames[view]}
        </button>
      ))}
    </nav>
  );
}

// The theme that is shown: the chosen one, or the system's.
function useTheme(theme: PageState['theme']): 'light' | 'dark' {
  const [system, setSystem] = useState(() => window.matchMedia('(prefers-color-scheme: dark)'));
  useEffect(() => {
    const follow = () => setSystem(window.matchMedia('(prefers-color-scheme: dark)'));
    system.addEventListener('change', follow);
    return () => system.removeEventListener('change', follow);
  }, [system]);
  const shown = theme || (system.matches ? 'dark' : 'light');
  document.documentElement.dataset['theme'] = shown;  // before anything is drawn with its colours
  return shown;
}

// A link that somebody sent holds the state of the page but not the key; the printed address has it.
function NoToken() {
  const take = (text: string) => {
    const key = fromFragment(text.slice(text.indexOf('#') + 1)).token || text.trim();
    if (!/^[0-9a-f]{64}$/.test(key)) return;
    window.location.hash = toFragment(current(), key);
    window.location.reload();
  };
  return (
    <main class="no-token" data-testid="no-token">
      <h1>Painlevé studio</h1>
      <p>This page needs the key that <code>painleve studio</code> printed: the part of its address behind <code>#token=</code>.</p>
      <label>The printed address: <input type="text" data-testid="token-field" onInput={(event) => take(event.currentTarget.value)} /></label>
    </main>
  );
}

export function App() {
  const state = useStore();
  const live = useLive();
  const [hello, setHello] = useState<Hello | null>(null);
  const [error, setError] = useState('');
  const [help, setHelp] = useState(false);
  const dark = useTheme(state.theme) === 'dark';
  useKeys(() => setHelp((open) => !open));
  useEffect(() => {
    if (!token) return;
    call<Hello>('hello', {})
      .then((answer) => {
        setHello(answer);
        if (!openedWithScene) openScene(answer.start, false);
        startLive();
        void openStream();
      })
      .catch((problem: Error) => setError(problem.message));
  }, []);
  if (!token) return <NoToken />;
  if (!hello) return <main class="no-token"><p role="status">{error || 'asking the program …'}</p></main>;
  const Shown = viewParts[state.view];
  return (
    <div class="page">
      <header>
        <h1>Painlevé</h1>
        <ScenePicker hello={hello} />
        <VerdictBadge analysis={live.reply?.analysis ?? null} error={live.error} />
        <Tabs />
        <button type="button" data-testid="tour" aria-pressed={state.story >= 0} title="a tour of the paradox (key t)" onClick={() => update({ story: state.story >= 0 ? -1 : 0 }, true)}>
          Tour
        </button>
        <ExportMenu hello={hello} />
        <button type="button" data-testid="theme" title="dark or light (key d)" onClick={() => update({ theme: dark ? 'light' : 'dark' })}>
          {dark ? '☀' : '☾'}
        </button>
        <button type="button" data-testid="help" title="keys (key ?)" onClick={() => setHelp(true)}>?</button>
      </header>
      <VariablesPanel />
      <main>{live.reply && live.scene ? <Shown key={current().scene.name ?? 'own'} hello={hello} /> : <p role="status">{live.error}</p>}</main>
      <StoryPanel />
      {help && <HelpDialog close={() => setHelp(false)} />}
    </div>
  );
}
