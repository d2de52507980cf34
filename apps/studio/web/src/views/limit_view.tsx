// Springs that grow stiffer, or time steps that grow shorter: do they tend to a rigid answer, and to which?
import { useState } from 'preact/hooks';
import { useOfferedData } from '../export/registry';
import { firstQuantity, futureText, restitutionText, limitReport, limitText, orderText, quantities, unitOf, usualStudy, verdictColour, verdictWords, type LimitReport } from '../plot/limits';
import { PlotView } from '../plot/plot_view';
import { useJob } from '../server';
import type { LimitSettings } from '../state';
import { current, update, useStore } from '../store';
import type { Hello, LimitResult, PlotData, SceneRequest } from '../types';
import { JobBar, NumberField, Panel, Select } from '../ui';
import './limit.css';

interface LimitRequest {
  kind: 'limit';
  scene: SceneRequest;
  stiffness?: [number, number, number];
  dt?: [number, number, number];
  t_end: number;
}

function change(settings: Partial<LimitSettings>) {
  update({ limit: { ...current().limit, begun: false, ...settings } });
}

function requestOf(scene: SceneRequest, limit: LimitSettings): LimitRequest {
  const { of, from, to, count, t_end } = limit;
  return { kind: 'limit', scene, [of]: [from, to, count], t_end };
}

// A study is begun by hand. That it was begun stands in the address, so that after a reload the same request finds the job
// where it is.
function useBegun(request: LimitRequest): [LimitRequest | null, () => void] {
  const [asked, setAsked] = useState(() => (current().limit.begun ? request : null));
  const run = () => {
    update({ limit: { ...current().limit, begun: true } }, true);
    setAsked(request);
  };
  return [asked, run];
}

function Controls(props: { run: () => void; running: boolean }) {
  const { limit } = useStore();
  const unit = limit.of === 'stiffness' ? 'N/m' : 's';
  const options: { value: LimitSettings['of']; text: string }[] = [
    { value: 'stiffness', text: 'stiffer springs' },
    { value: 'dt', text: 'shorter time steps' },
  ];
  const positive = (key: 'from' | 'to' | 't_end') => (value: number) => value > 0 && change({ [key]: value });
  return (
    <div class="controls">
      <Select label="what grows or shrinks" testid="limit-of" value={limit.of} options={options} onChange={(of) => change(usualStudy(of))} />
      <label class="field"><span>from</span><NumberField value={limit.from} unit={unit} room={95} label="from" testid="limit-from" onChange={positive('from')} /></label>
      <label class="field"><span>to</span><NumberField value={limit.to} unit={unit} room={95} label="to" testid="limit-to" onChange={positive('to')} /></label>
      <label class="field few"><span>in</span><NumberField value={limit.count} unit="1" room={29} label="number of values" testid="limit-count" onChange={(count) => count >= 2 && change({ count: Math.round(count) })} /><span>values</span></label>
      <label class="field"><span>until t =</span><NumberField value={limit.t_end} unit="s" room={95} label="end of the motion" testid="limit-t-end" onChange={positive('t_end')} /></label>
      <button type="button" class="run" data-testid="limit-run" disabled={props.running} onClick={props.run}>Run</button>
    </div>
  );
}

function Verdict(props: { report: LimitReport; stopped: boolean }) {
  const { report, stopped } = props;
  return (
    <Panel class="verdict-words">
      <span class="badge" data-testid="limit-verdict" data-verdict={report.verdict} style={{ backgroundColor: verdictColour(report.verdict) }}>
        <strong>{report.verdict}</strong>
      </span>
      <p>{stopped ? 'The study was stopped: these are the runs done until then.' : verdictWords[report.verdict] ?? ''}</p>
      <p class="hint">{report.verdict_reason}{report.expected ? `. What theory says: ${report.expected}.` : ''}</p>
    </Panel>
  );
}

function SeriesTable(props: { report: LimitReport }) {
  const { report } = props;
  const names = quantities(report);
  const [chosen, setChosen] = useState('');
  const quantity = names.includes(chosen) ? chosen : firstQuantity(names);
  const unit = unitOf(quantity);
  return (
    <Panel class="series">
      <div class="controls">
        <span>limit of</span>
        <Select label="quantity" testid="limit-quantity" value={quantity} options={names.map((name) => ({ value: name, text: name }))} onChange={setChosen} />
      </div>
      <table class="modes" data-testid="limit-series">
        <thead>
          <tr><th>regularisation</th><th>ends in</th><th>limit{unit ? ` [${unit}]` : ''}</th><th title="of the error, in 1/k or dt">order</th><th>rigid future</th></tr>
        </thead>
        <tbody>
          {report.series.map((series) => {
            const limit = series.limits.find((entry) => entry.name === quantity);
            return (
              <tr key={series.name}>
                <th scope="row">{series.name}</th>
                <td>{series.outcome}</td>
                <td>{limitText(limit)}</td>
                <td>{orderText(limit)}</td>
                <td class="reason" title={series.future_reason}>{series.future === null ? series.future_reason ?? '–' : futureText(report, series.future) + restitutionText(series)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Panel>
  );
}

function Plots(props: { plots: PlotData[] }) {
  return (
    <div class="limit-plots" data-export="picture" data-testid="limit-plots">
      {props.plots.map((plot, index) => (
        <Panel key={index} class="limit-plot">
          <PlotView plot={plot} testid={`limit-plot-${index}`} label={`study of limits: ${plot.y.label} over ${plot.x.label}`} />
        </Panel>
      ))}
    </div>
  );
}

export function LimitView(_props: { hello: Hello }) {
  const { scene, limit } = useStore();
  const request = requestOf(scene, limit);
  const [asked, run] = useBegun(request);
  const watch = useJob<LimitResult>(asked);
  useOfferedData('limit', () => watch.result?.report ?? null);
  const running = watch.job?.state === 'running' || watch.job?.state === 'waiting';
  const other = asked !== null && JSON.stringify(asked) !== JSON.stringify(request);
  const report = watch.result && limitReport(watch.result.report);
  return (
    <div class="view limit" data-testid="view-limit">
      <Controls run={run} running={running && !other} />
      <JobBar job={watch.job} error={watch.error} cancel={watch.cancel} testid="limit-job" />
      {other && report && <p class="hint" role="status">The scene or the settings have changed since: these are the answers to the former question. Run asks the new one.</p>}
      {!asked && (
        <p class="hint">
          A rigid contact is an idealisation of a stiff one, and a motion one of many short steps. This study makes the springs stiffer, or the steps shorter,
          for several laws of contact, and compares where they end with the rigid answers. It takes some seconds; Run begins it.
        </p>
      )}
      {report && <Verdict report={report} stopped={watch.job?.state === 'cancelled'} />}
      {watch.result && <Plots plots={watch.result.plots} />}
      {report && quantities(report).length > 0 && <SeriesTable report={report} />}
    </div>
  );
}
