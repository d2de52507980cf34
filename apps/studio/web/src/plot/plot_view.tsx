// A plot of the library on the page: PlotData drawn as SVG with axes, legend and words, which can be zoomed, moved,
// clicked and read. The picture holds all its colours and fonts itself, so that it can be saved as it is.
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { format } from '../format';
import type { AxisData, PlotData } from '../types';
import { useSize } from '../ui';
import type { Point } from './clip';
import { plotFrame, tickText, titleText, type PlotFrame } from './frame';
import { Glyph, LayerShape, LayerWords, letters, MarkedText, penAttributes } from './layers';
import { legendText, sampleWidth, type PlacedEntry } from './legend';
import { plainText, plotFont } from './markup';
import { usePaperColours, type PaperColours } from '../theme';
import { onPaper } from './on_paper';
import { useZoom } from './zoom';
import './plot.css';

export interface PlotViewProps {
  plot: PlotData;
  label: string;     // for those who read with their ears
  testid?: string;
  picture?: boolean; // the one that is exported
  onClick?: (point: Point, pixel: Point, frame: PlotFrame) => void;
  below?: (frame: PlotFrame, colours: PaperColours) => ComponentChildren;  // drawn under the layers
  overlay?: (frame: PlotFrame, colours: PaperColours) => ComponentChildren;  // drawn over them
}

function shownText(axis: AxisData, value: number): string {
  const unit = axis.unit === '1' ? '' : plainText(axis.unit);
  return `${format(axis.factor * value, 4)}${unit ? ` ${unit}` : ''}`;
}

function Axes(props: { plot: PlotData; frame: PlotFrame; colours: PaperColours }) {
  const { frame, colours } = props;
  const { left, right, top, bottom } = frame.area;
  const ink = { stroke: colours.ink, 'stroke-width': 1 };
  return (
    <g>
      {frame.x_ticks.ticks.map(({ at, label }, index) => (
        <g key={`x${index}`}>
          <line x1={frame.x(at)} x2={frame.x(at)} y1={bottom} y2={bottom + (label ? 5 : 3)} {...ink} />
          {label && <MarkedText x={frame.x(at)} y={bottom + 19} text={label} size={tickText} fill={colours.ink} anchor="middle" />}
        </g>
      ))}
      {frame.y_ticks.ticks.map(({ at, label }, index) => (
        <g key={`y${index}`}>
          <line x1={left - (label ? 5 : 3)} x2={left} y1={frame.y(at)} y2={frame.y(at)} {...ink} />
          {label && <MarkedText x={left - 8} y={frame.y(at) + 4.5} text={label} size={tickText} fill={colours.ink} anchor="end" />}
        </g>
      ))}
      <rect x={left} y={top} width={right - left} height={bottom - top} fill="none" {...ink} />
      <MarkedText x={(left + right) / 2} y={bottom + 39} text={frame.x_title} size={titleText} fill={colours.ink} anchor="middle" />
      <MarkedText x={frame.y_title_at} y={(top + bottom) / 2} text={frame.y_title} size={titleText} fill={colours.ink} anchor="middle" turned />
    </g>
  );
}

function LegendRow(props: { entry: PlacedEntry; left: number; top: number; colours: PaperColours }) {
  const { entry, colours } = props;
  const x = props.left + entry.x;
  const y = props.top + entry.y;
  return (
    <g>
      {entry.fill && (
        <rect
          x={x + 5} y={y - 6} width={16} height={12} stroke={colours.faint} stroke-width={0.6}
          fill={onPaper(entry.fill, colours)} fill-opacity={entry.fill_opacity}
        />
      )}
      {entry.line && <line x1={x} x2={x + sampleWidth} y1={y} y2={y} {...penAttributes(entry.pen, colours)} />}
      <Glyph kind={entry.glyph} at={[x + sampleWidth / 2, y]} size={6 * letters} pen={entry.pen} colours={colours} />
      <MarkedText x={x + sampleWidth + 6} y={y + 4.5} text={entry.label} size={legendText} fill={colours.ink} />
    </g>
  );
}

function Picture(props: PlotViewProps & { width: number; height: number; readout: (text: string) => void }) {
  const { plot, width, height } = props;
  const colours = usePaperColours();
  const shown = useRef<PlotFrame | null>(null);
  const hover = (pixel: Point | null) => {
    if (!pixel || !shown.current) return props.readout('');
    const [x, y] = shown.current.back(pixel);
    props.readout(`${shownText(plot.x, x)} · ${shownText(plot.y, y)}`);
  };
  const click = props.onClick && ((pixel: Point) => props.onClick!(shown.current!.back(pixel), pixel, shown.current!));
  const zoom = useZoom(plot, shown, click, plot.frame ? hover : () => undefined);
  const frame = plotFrame(plot, width, height, zoom.view);
  shown.current = frame;
  const layers = plot.layers.filter((layer) => layer.kind !== 'arrow' || (layer.from && layer.to));
  return (
    <svg
      ref={zoom.attach} xmlns="http://www.w3.org/2000/svg" width={width} height={height} viewBox={`0 0 ${width} ${height}`}
      font-family={plotFont} role="img" aria-label={props.label} tabindex={0} onKeyDown={zoom.onKeyDown}
      data-export={props.picture ? 'picture' : undefined} data-zoomed={zoom.view !== null} class={props.onClick ? 'clickable' : ''}
    >
      <title>{props.label}</title>
      <rect width={width} height={height} fill={colours.paper} />
      {props.below?.(frame, colours)}
      {layers.map((layer, index) => <LayerShape key={index} layer={layer} frame={frame} colours={colours} />)}
      {plot.frame && <Axes plot={plot} frame={frame} colours={colours} />}
      {props.overlay?.(frame, colours)}
      {layers.map((layer, index) => <LayerWords key={index} layer={layer} frame={frame} colours={colours} />)}
      {plot.title && <MarkedText x={width / 2} y={18} text={plot.title} size={titleText} fill={colours.ink} anchor="middle" bold />}
      {frame.legend.map((entry, index) => <LegendRow key={index} entry={entry} left={12} top={frame.legend_top} colours={colours} />)}
    </svg>
  );
}

// Fills its parent, which gives the height.
export function PlotView(props: PlotViewProps) {
  const [measure, size] = useSize();
  const words = useRef<HTMLDivElement>(null);
  const readout = (text: string) => {
    if (words.current) words.current.textContent = text;
  };
  return (
    <div class="plot-view" ref={measure} data-testid={props.testid}>
      {size.width > 80 && size.height > 80 && <Picture {...props} width={size.width} height={size.height} readout={readout} />}
      <div class="plot-readout" ref={words} aria-hidden="true" />
    </div>
  );
}
