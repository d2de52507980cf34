// One quantity over two variables of the scene, with the scene of the crosshair beside it.
import { useMemo, useState } from 'preact/hooks';
import { mapCsv } from '../export/csv';
import { useOfferedData, useOfferedPicture } from '../export/registry';
import { useLive, type Live } from '../live';
import { mappable, type Axes } from '../map/axes';
import { mapPicture } from '../map/export_picture';
import { hoverText } from '../map/hover_text';
import { MapLegend } from '../map/legend';
import { MapControls } from '../map/map_controls';
import { MapPlot } from '../map/map_plot';
import { legendOf, type Legend } from '../map/paint';
import type { AxisLook } from '../map/picture';
import { useMap, type ShownMap } from '../map/use_map';
import { usePaperColours } from '../theme';
import { chosenMode, ModeTable, stackedForces } from '../mode_table';
import { MechanismView } from '../scene/mechanism_view';
import { go, set, useStore } from '../store';
import type { Hello, SceneReport } from '../types';
import { JobBar } from '../ui';
import { valueNow } from '../variables';
import './map.css';

// The state under the crosshair, analysed as in the scene view.
function Beside(props: { live: Live; sceneName: string }) {
  const state = useStore();
  const reply = props.live.reply;
  if (!reply) return null;
  const { analysis, drawing } = reply;
  const forces = stackedForces(analysis, chosenMode(analysis, state.mode));
  return (
    <aside class="map-side" aria-label="the state under the crosshair">
      {drawing ? (
        <MechanismView
          sceneKey={props.sceneName}
          figures={[{
            drawing,
            opacity: 1,
            forces,
            velocities: analysis.u,
            mu: analysis.contacts.map((contact) => contact.mu),
            closed: analysis.contacts.map((contact) => contact.closed),
            bilateral: analysis.contacts.map((contact) => contact.bilateral),
          }]}
        />
      ) : (
        <p class="hint">This scene is given by the numbers of its contacts; there is no body to draw.</p>
      )}
      <button type="button" data-testid="map-open" onClick={() => go('scene')}>Open in scene</button>
      <ModeTable analysis={analysis} />
    </aside>
  );
}

function looks(scene: SceneReport, axes: Axes): [AxisLook, AxisLook] {
  const look = (axis: Axes['x']): AxisLook => {
    const variable = scene.variables.find((one) => one.path === axis.path);
    return { ...axis, name: variable?.name ?? axis.path, unit: variable?.unit ?? '1' };
  };
  return [look(axes.x), look(axes.y)];
}

function Plot(props: { map: ShownMap; axes: Axes; scene: SceneReport; live: Live; legend: Legend }) {
  const state = useStore();
  const palette = usePaperColours();
  const [hover, setHover] = useState<[number, number] | null>(null);
  const { map, axes, scene, live, legend } = props;
  const [x, y] = looks(scene, axes);
  const now = (path: string) => {
    const variable = scene.variables.find((one) => one.path === path);
    return variable ? valueNow(variable, live, state.scene.set) : Number.NaN;
  };
  const present: [number, number] = [now(axes.x.path), now(axes.y.path)];
  useOfferedData('map', () => map.result, () => map.result && mapCsv(map.result));
  useOfferedPicture(() => map.result && mapPicture(map.result, present), `${map.result?.quantity ?? ''} over ${x.name} and ${y.name}`);
  const text = hover && map.result ? hoverText(map.result, axes, hover) : 'Click or drag: the state goes to the scene. Arrow keys move it by one cell.';
  return (
    <>
      <MapPlot
        x={x}
        y={y}
        result={map.result}
        legend={legend}
        palette={palette}
        stale={map.stale}
        stage={map.watch.job?.stage ?? 0}
        label={`map of ${state.map.of} over ${x.name} and ${y.name}; arrow keys move the state by one cell`}
        present={present}
        onHover={setHover}
        onSend={([valueX, valueY]) => set({ [axes.x.path]: valueX, [axes.y.path]: valueY })}
        onOpen={() => go('scene')}
      />
      <p class="map-hover" data-testid="map-hover" title={text}>{text}</p>
    </>
  );
}

export function MapView(props: { hello: Hello }) {
  const state = useStore();
  const live = useLive();
  const map = useMap(props.hello, state, live);
  const { axes, watch, result } = map;
  const legend = useMemo<Legend>(() => (result ? legendOf(result) : { kind: 'empty' }), [result]);
  const scene = live.scene;
  if (!scene || !axes) {
    return (
      <div class="view map-view" data-testid="view-map">
        <p class="hint">{scene ? 'This scene is given as numbers, and no two of them can be mapped over.' : ''}</p>
      </div>
    );
  }
  return (
    <div class="view map-view" data-testid="view-map">
      <div class="map-main">
        <MapControls hello={props.hello} scene={scene} axes={axes} quantity={map.quantity} />
        <div class="map-line">
          <MapLegend legend={legend} unit={result?.unit ?? '1'} />
          <JobBar job={watch.job} error={watch.error} cancel={watch.cancel} testid="map-job" />
        </div>
        <Plot map={map} axes={axes} scene={scene} live={live} legend={legend} />
        {scene.kind !== 'mechanism' && (
          <p class="hint">This scene is given by the numbers of its contacts; it can be mapped over {mappable(scene).map((one) => one.name).join(', ')}.</p>
        )}
      </div>
      <Beside live={live} sceneName={scene.name} />
    </div>
  );
}
