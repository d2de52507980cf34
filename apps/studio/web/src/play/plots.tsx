// The linked plots: made anew when their data change; when only time passes, a marker moves and numbers change.
import { useEffect, useMemo, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { format } from '../format';
import { useSize } from '../ui';
import type { Clock, Signal } from './clock';
import { dashes } from './palette';
import { quantities, type Quantity } from './plot_data';
import { curveColour, plotModel, plotOptions, type PlotModel, type PlotScene } from './plot_options';
import { sampleAt, type Branch } from './tracks';
import { mostInLegend, ValuesTable } from './values_table';

export interface PlotsProps extends PlotScene {
  clock: Clock;
  hover: Signal<number | null>;  // [s] under the mouse
}

const rounding = 1e-12;  // of the largest value of the branch: no news

function largest(quantity: Quantity, branch: Branch): number {
  return quantity.curves.reduce((most, curve) => curve.of(branch).reduce<number>((size, value) => Math.max(size, Math.abs(value ?? 0)), most), 0);
}

// The values of the sample nearest to the cursor, or to the time shown.
function Legend(props: PlotsProps & { quantity: Quantity; logarithmic: boolean }) {
  const { quantity, played, clock, hover } = props;
  const list = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const least = rounding * largest(quantity, played);
    const write = () => {
      const sample = sampleAt(played, hover.value ?? clock.t.value);
      list.current?.querySelectorAll('b').forEach((element, k) => {
        const value = quantity.curves[k]!.of(played)[sample];
        element.textContent = format(value && Math.abs(value) < least ? 0 : value, 4);
      });
    };
    write();
    const ends = [clock.t.subscribe(write), hover.subscribe(write)];
    return () => ends.forEach((end) => end());
  }, [played, quantity]);
  const several = quantity.curves.length > 1;
  return (
    <h3>
      {quantity.name} <i>{quantity.symbol}</i> [{quantity.unit}]{props.logarithmic && ', log'}
      <span class="values" ref={list}>
        {quantity.curves.length <= mostInLegend && quantity.curves.map((curve) => (
          <span key={curve.label}>
            {several && <svg width="20" height="8" aria-hidden="true">
              <path d="M0,4 H20" stroke={curveColour(props.palette, played, curve.contact, props.branches)} stroke-width="2" stroke-dasharray={dashes[(Math.max(0, curve.contact) + curve.component) % dashes.length]!.join(' ')} />
            </svg>}
            {several && curve.label} <b />
          </span>
        ))}
      </span>
    </h3>
  );
}

function marker(plot: uPlot, props: PlotsProps): () => void {
  const line = document.createElement('div');
  line.className = 'now-line';
  plot.over.appendChild(line);
  const move = () => {
    const left = plot.valToPos(props.scale.toX(props.clock.t.value), 'x');
    line.style.transform = `translateX(${left}px)`;
    line.style.display = left < -1 || left > plot.over.clientWidth + 1 ? 'none' : '';
  };
  queueMicrotask(move);  // the plot knows its scales only then
  return props.clock.t.subscribe(move);
}

function timeUnder(plot: uPlot, props: PlotsProps, event: MouseEvent): number {
  return props.scale.toT(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x'));
}

function listen(plot: uPlot, props: PlotsProps) {
  plot.over.addEventListener('click', (event) => props.clock.seek(timeUnder(plot, props, event)));
  plot.over.addEventListener('mousemove', (event) => props.hover.set(timeUnder(plot, props, event)));
  plot.over.addEventListener('mouseleave', () => props.hover.set(null));
}

function Plot(props: PlotsProps & { model: PlotModel; labelled: boolean }) {
  const { model, scale, palette, played } = props;
  const [measure, size] = useSize();
  const box = useRef<HTMLDivElement | null>(null);
  useEffect(() => {
    if (!box.current || size.width < 40 || size.height < 40) return undefined;
    const events = played.eventTimes;
    const options = plotOptions(model, { width: size.width, height: size.height, scale, palette, events, labelled: props.labelled });
    const plot = new uPlot(options, model.data, box.current);
    listen(plot, props);
    const still = marker(plot, props);
    return () => {
      still();
      plot.destroy();
    };
  }, [model, size.width, size.height]);
  return (
    <figure class="plot" data-quantity={model.quantity.key}>
      <Legend {...props} quantity={model.quantity} logarithmic={model.logarithmic !== null} />
      <div
        class="canvas"
        ref={(element) => {
          box.current = element;
          measure(element);
        }}
      />
    </figure>
  );
}

export function LinkedPlots(props: PlotsProps) {
  const { played, ghosts, scale, palette, branches, rigid } = props;
  const models = useMemo(
    () => quantities(played).map((quantity) => plotModel(quantity, { played, ghosts, scale, palette, branches, rigid })),
    [played, ghosts, scale, palette, branches, rigid],
  );
  const columns = models.length > 3 ? 2 : 1;
  return (
    <>
      <div class={`plots columns-${columns}`} data-testid="play-plots">
        {models.map((model, index) => (
          <Plot key={model.quantity.key} {...props} model={model} labelled={index >= models.length - columns} />
        ))}
      </div>
      <ValuesTable {...props} />
    </>
  );
}
