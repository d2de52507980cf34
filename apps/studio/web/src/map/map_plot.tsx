// The picture of the map: cells on one canvas, axes on another behind it, the crosshair above. Hover tells, a click or a
// drag sends the state to the scene, arrow keys move it by one cell.
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { MapResult } from '../types';
import { useSize } from '../ui';
import { cellOfPart, cellOfValue, partOfValue, valueOfCell } from './axes';
import type { Legend } from './paint';
import { drawAxes, drawInside, margins, type AxisLook } from './picture';
import type { PaperColours } from '../theme';

export interface MapPlotProps {
  x: AxisLook;
  y: AxisLook;
  result: MapResult | null;
  legend: Legend;
  palette: PaperColours;
  stale: boolean;
  stage: number;
  label: string;
  present: [number, number];
  onHover: (cell: [number, number] | null) => void;  // cells of the axes that are asked for
  onSend: (values: [number, number]) => void;
  onOpen: () => void;
}

function prepared(canvas: HTMLCanvasElement | null, width: number, height: number): CanvasRenderingContext2D | null {
  const pen = canvas?.getContext('2d');
  if (!canvas || !pen) return null;
  const dots = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * dots);
  canvas.height = Math.round(height * dots);
  pen.setTransform(canvas.width / width, 0, 0, canvas.height / height, 0, 0);
  return pen;
}

function Crosshair(props: { x: AxisLook; y: AxisLook; present: [number, number] }) {
  const [x, y] = [partOfValue(props.x, props.present[0]), 1 - partOfValue(props.y, props.present[1])];
  const inside = x >= 0 && x <= 1 && y >= 0 && y <= 1;
  return (
    <div
      class="map-crosshair"
      data-testid="map-crosshair"
      data-inside={inside}
      data-x={props.present[0]}
      data-y={props.present[1]}
      hidden={!inside}
    >
      <i class="across" style={{ top: `${100 * y}%` }} />
      <i class="down" style={{ left: `${100 * x}%` }} />
      <i class="centre" style={{ left: `${100 * x}%`, top: `${100 * y}%` }} />
    </div>
  );
}

const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// The value some cells further, at most at the end.
function moved(axis: AxisLook, value: number, by: number): number {
  return by === 0 ? value : valueOfCell(axis, Math.min(axis.count - 1, Math.max(0, cellOfValue(axis, value) + by)));
}

// Values are those of cells: what the colour says is what the analysis says.
function useHandlers(props: MapPlotProps) {
  const { x, y, present, onSend, onHover, onOpen } = props;
  const dragging = useRef(false);
  const cellAt = (event: PointerEvent): [number, number] => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return [cellOfPart(x, (event.clientX - box.left) / box.width), cellOfPart(y, 1 - (event.clientY - box.top) / box.height)];
  };
  const send = (cell: [number, number]) => onSend([valueOfCell(x, cell[0]), valueOfCell(y, cell[1])]);
  const release = () => void (dragging.current = false);
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      dragging.current = true;
      send(cellAt(event));
    },
    onPointerMove: (event: PointerEvent) => {
      onHover(cellAt(event));
      if (dragging.current) send(cellAt(event));
    },
    onPointerUp: release,
    onPointerCancel: release,
    onPointerLeave: () => onHover(null),
    onDblClick: onOpen,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') onOpen();
      const step = steps[event.key];
      if (!step) return;
      event.preventDefault();
      const far = event.shiftKey ? 10 : 1;
      onSend([moved(x, present[0], far * step[0]), moved(y, present[1], far * step[1])]);
    },
  };
}

export function MapPlot(props: MapPlotProps) {
  const { x, y, result, legend, palette } = props;
  const [measure, size] = useSize();
  const inner = useRef<HTMLCanvasElement>(null);
  const outer = useRef<HTMLCanvasElement>(null);
  const handlers = useHandlers(props);
  const width = Math.max(60, size.width - margins.left - margins.right);
  const height = Math.max(60, size.height - margins.top - margins.bottom);
  const ready = size.width > 0;
  useLayoutEffect(() => {
    const pen = ready ? prepared(inner.current, width, height) : null;
    if (pen) drawInside(pen, { left: 0, top: 0, width, height }, result, legend, palette);
  }, [result, legend, palette, width, height, ready]);
  useLayoutEffect(() => {
    const pen = ready ? prepared(outer.current, width + margins.left + margins.right, height + margins.top + margins.bottom) : null;
    if (pen) drawAxes(pen, { left: margins.left, top: margins.top, width, height }, x, y, palette);
  }, [JSON.stringify([x, y]), palette, width, height, ready]);
  return (
    <div class="map-plot" ref={measure}>
      <canvas ref={outer} class="map-axes" aria-hidden="true" />
      <div class="map-field" style={{ left: `${margins.left}px`, top: `${margins.top}px`, width: `${width}px`, height: `${height}px` }}>
        <canvas
          ref={inner}
          class={props.stale ? 'stale' : ''}
          tabIndex={0}
          role="application"
          aria-label={props.label}
          data-testid="map-canvas"
          data-export="picture"
          data-stage={props.stage}
          data-final={result !== null && result.final && !props.stale}
          data-columns={result?.x.count ?? 0}
          data-rows={result?.y.count ?? 0}
          {...handlers}
        />
        <Crosshair x={x} y={y} present={props.present} />
      </div>
    </div>
  );
}
