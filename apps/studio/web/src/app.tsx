// The page: header with scene, verdict and views; variables on the left; the view in the middle; the tour below.
import { useEffect, useState } from 'preact/hooks';
import { ExportMenu } from './export_menu';
import { HelpDialog } from './help';
import { useKeys } from './keys';
import { startLive, useLivePart } from './live';
import { call, openStream } from './server';
import { fromFragment, toFragment, views, type PageState, type View } from './state';
import { current, go, openedWithScene, openScene, token, update, useStorePart } from './store';
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
  const own = useStorePart((state) => state.scene.toml !== undefined);
  const name = useStorePart((state) => state.scene.name ?? '');
  const options = props.hello.scenes.map((scene) => ({
    value: scene.name,
    text: scene.kind === 'scenario' ? `${scene.name}: ${scene.title}` : scene.name,
    group: scene.kind === 'scenario' ? 'Scenarios' : 'Mechanisms',
  }));
  // A robot's scenario is known to the program by the name of the file that it was started with.
  const started = props.hello.start.name;
  if (started && !options.some((option) => option.value === started)) options.unshift({ value: started, text: started, group: 'Yours' });
  if (own) options.unshift({ value: '', text: props.hello.start.toml ? 'your scenario' : 'a scenario of your own', group: 'Yours' });
  return (
    <Select
      label="scene"
      testid="scene-picker"
      value={own ? '' : name}
      options={options}
      onChange={(chosen) => chosen && openScene({ name: chosen })}
    />
  );
}

function Tabs() {
  const shown = useStorePart((state) => state.view);
  return (
    <nav class="tabs" role="tablist" aria-label="views">
      {views.map((view, index) => (
        <button
          key={view}
          type="button"
          role="tab"
          aria-selected={shown === view}
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

function Verdict() {
  const analysis = useLivePart((live) => live.reply?.analysis ?? null);
  return <VerdictBadge analysis={analysis} error={useLivePart((live) => live.error)} />;
}

// Another scene is another view: what it had open or under way belongs to the one before.
function Shown(props: { hello: Hello }) {
  const view = useStorePart((state) => state.view);
  const scene = useStorePart((state) => state.scene.name ?? 'own');
  const ready = useLivePart((live) => live.reply !== null && live.scene !== null);
  const error = useLivePart((live) => (ready ? '' : live.error));
  const Part = viewParts[view];
  if (ready) return <Part key={scene} hello={props.hello} />;
  return error ? <NoState /> : <p role="status" />;
}

// An address may name a state or a scene that does not exist; the badge says why, and here is the way out.
function NoState() {
  const { name, toml, set } = useStorePart((state) => state.scene);
  const changed = Object.keys(set).length > 0;
  const asItIs = toml !== undefined ? { toml } : { name: name ?? 'rod' };
  return (
    <p class="no-state" role="status">
      <button type="button" data-testid="no-state-back" onClick={() => openScene(changed ? asItIs : { name: 'rod' })}>
        {changed ? 'Take back what was set' : 'Open the rod'}
      </button>
    </p>
  );
}

// What is shown belongs to the last state that exists; where the present one does not, it is pale.
function Main(props: { hello: Hello }) {
  const outdated = useLivePart((live) => live.error !== '' && live.reply !== null);
  return <main class={outdated ? 'outdated' : ''}><Shown hello={props.hello} /></main>;
}

export function App() {
  const theme = useStorePart((state) => state.theme);
  const touring = useStorePart((state) => state.story >= 0);
  const [hello, setHello] = useState<Hello | null>(null);
  const [error, setError] = useState('');
  const [help, setHelp] = useState(false);
  const dark = useTheme(theme) === 'dark';
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
  return (
    <div class="page">
      <header>
        <h1>Painlevé</h1>
        <ScenePicker hello={hello} />
        <Verdict />
        <Tabs />
        <button type="button" data-testid="tour" aria-pressed={touring} title="a tour of the paradox (key t)" onClick={() => update({ story: touring ? -1 : 0 }, true)}>
          Tour
        </button>
        <ExportMenu hello={hello} />
        <button type="button" data-testid="theme" title="dark or light (key d)" onClick={() => update({ theme: dark ? 'light' : 'dark' })}>
          {dark ? '☀' : '☾'}
        </button>
        <button type="button" data-testid="help" title="keys (key ?)" onClick={() => setHelp(true)}>?</button>
      </header>
      <VariablesPanel />
      <Main hello={hello} />
      <StoryPanel />
      {help && <HelpDialog close={() => setHelp(false)} />}
    </div>
  );
}
