// The layers of a plot as SVG. Sizes of the library are points on a small sheet of paper; on a screen they are larger.
import type { PenData, PlotLayer } from '../types';
import { clippedLine, clippedPolygon, inside, pathOf, type Point } from './clip';
import type { PlotFrame } from './frame';
import { textRuns, textWidth } from './markup';
import type { PaperColours } from '../theme';
import { onPaper } from './on_paper';

export const letters = 1.5;  // pixels per point of text
export const strokes = 1.35;

const dashes: Record<PenData['dash'], string | undefined> = { solid: undefined, dashed: '7 5', dotted: '2 4', dash_dot: '9 4 2 4' };

export function penAttributes(pen: PenData, colours: PaperColours) {
  return {
    stroke: onPaper(pen.colour, colours),
    'stroke-opacity': pen.opacity,
    'stroke-width': pen.width * strokes,
    'stroke-dasharray': dashes[pen.dash],
    'stroke-linejoin': 'round' as const,
    fill: 'none',
  };
}

// A text with the library's markup. `halo`: a rim of paper, so that it can be read over lines.
export function MarkedText(props: {
  x: number;
  y: number;
  text: string;
  size: number;
  fill: string;
  anchor?: 'start' | 'middle' | 'end';
  bold?: boolean;
  turned?: boolean;
  halo?: string;
}) {
  let risen = 0;
  return (
    <text
      x={props.x}
      y={props.y}
      font-size={props.size}
      fill={props.fill}
      text-anchor={props.anchor ?? 'start'}
      font-weight={props.bold ? 600 : undefined}
      transform={props.turned ? `rotate(-90 ${props.x} ${props.y})` : undefined}
      stroke={props.halo}
      stroke-width={props.halo ? 3 : undefined}
      stroke-linejoin={props.halo ? 'round' : undefined}
      paint-order={props.halo ? 'stroke' : undefined}
    >
      {textRuns(props.text).map((run, index) => {
        // A shift holds for all that follows, so each run says by how much it differs from the one before.
        const shift = (risen - run.rise) * props.size;
        risen = run.rise;
        return (
          <tspan
            key={index}
            dy={shift === 0 ? undefined : shift}
            font-size={run.scale === 1 ? undefined : props.size * run.scale}
            font-style={run.slanted ? 'italic' : undefined}
          >
            {run.text}
          </tspan>
        );
      })}
    </text>
  );
}

export function Glyph(props: { kind: string; at: Point; size: number; pen: PenData; colours: PaperColours }) {
  const [x, y] = props.at;
  const r = props.size / 2;
  const colour = onPaper(props.pen.colour, props.colours);
  const full = { fill: colour, 'fill-opacity': props.pen.opacity };
  const line = { fill: 'none', stroke: colour, 'stroke-width': 1.8, 'stroke-opacity': props.pen.opacity };
  switch (props.kind) {
    case 'disc': return <circle cx={x} cy={y} r={r} {...full} />;
    case 'ring': return <circle cx={x} cy={y} r={r} {...line} fill={props.colours.paper} />;
    case 'square': return <rect x={x - 0.9 * r} y={y - 0.9 * r} width={1.8 * r} height={1.8 * r} {...full} />;
    case 'diamond': return <path d={`M${x} ${y - 1.2 * r}L${x + 1.2 * r} ${y}L${x} ${y + 1.2 * r}L${x - 1.2 * r} ${y}Z`} {...full} />;
    case 'triangle': return <path d={`M${x} ${y - 1.15 * r}L${x + r} ${y + 0.75 * r}L${x - r} ${y + 0.75 * r}Z`} {...full} />;
    case 'cross': return <path d={`M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}L${x + r} ${y - r}`} {...line} />;
    case 'plus': return <path d={`M${x - r} ${y}L${x + r} ${y}M${x} ${y - r}L${x} ${y + r}`} {...line} />;
    default: return null;
  }
}

export function arrowHead(from: Point, to: Point, size: number): string {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (!(length > 0)) return '';
  const [ex, ey] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const corner = (side: number): Point => [to[0] - size * ex - side * 0.45 * size * ey, to[1] - size * ey + side * 0.45 * size * ex];
  return pathOf([[to, corner(1), corner(-1)]], true);
}

function Arrow(props: { layer: Extract<PlotLayer, { kind: 'arrow' }>; frame: PlotFrame; colours: PaperColours }) {
  const { layer, frame, colours } = props;
  const piece = clippedLine([frame.at(layer.from), frame.at(layer.to)], frame.area)[0];
  if (!piece) return null;
  const [from, to] = [piece[0]!, piece.at(-1)!];
  return (
    <g>
      <path d={pathOf([piece])} {...penAttributes(layer.pen, colours)} />
      <path d={arrowHead(from, to, 9)} fill={onPaper(layer.pen.colour, colours)} fill-opacity={layer.pen.opacity} />
    </g>
  );
}

function Curve(props: { layer: Extract<PlotLayer, { kind: 'curve' }>; frame: PlotFrame; colours: PaperColours }) {
  const { layer, frame, colours } = props;
  const points = layer.points.map((point) => point && frame.at(point));
  const shown = layer.glyph === 'none' ? [] : points.filter((point): point is Point => !!point && inside(frame.area, point));
  return (
    <g>
      {layer.line && <path d={pathOf(clippedLine(points, frame.area))} {...penAttributes(layer.pen, colours)} />}
      {shown.map((point, index) => (
        <Glyph key={index} kind={layer.glyph} at={point} size={layer.glyph_size * letters} pen={layer.pen} colours={colours} />
      ))}
    </g>
  );
}

export function LayerShape(props: { layer: PlotLayer; frame: PlotFrame; colours: PaperColours }) {
  const { layer, frame, colours } = props;
  const { area } = frame;
  switch (layer.kind) {
    case 'curve': return <Curve layer={layer} frame={frame} colours={colours} />;
    case 'arrow': return <Arrow layer={layer} frame={frame} colours={colours} />;
    case 'region': {
      const corners = clippedPolygon(layer.corners.map(frame.at), area);
      const outline = layer.pen.width > 0 && layer.pen.opacity > 0 ? penAttributes(layer.pen, colours) : { stroke: 'none' };
      return <path d={pathOf([corners], true)} {...outline} fill={onPaper(layer.fill, colours)} fill-opacity={layer.fill_opacity} />;
    }
    case 'rule': {
      const at = layer.vertical ? frame.x(layer.at) : frame.y(layer.at);
      const line: Point[] = layer.vertical ? [[at, area.top], [at, area.bottom]] : [[area.left, at], [area.right, at]];
      return <path d={pathOf(clippedLine(line, area))} {...penAttributes(layer.pen, colours)} />;
    }
    case 'note': return null;
  }
}

// "T (0.3266, 0.4516)" where there is room for it, "T" in a plot that such notes would cover.
export function noteText(text: string, room: number): string {
  return room < 280 ? text.replace(/ \([^()]*\)$/, '') : text;
}

// Words over everything else: notes, and the labels of arrows beyond their tips.
export function LayerWords(props: { layer: PlotLayer; frame: PlotFrame; colours: PaperColours }) {
  const { layer, frame, colours } = props;
  if (layer.kind === 'note') {
    const [x, y] = frame.at(layer.at);
    if (!inside(frame.area, [x, y])) return null;
    const size = Math.max(13, layer.size * letters);
    const text = noteText(layer.text, frame.area.right - frame.area.left);
    // A note that would run over the right edge ends there.
    const over = layer.anchor === 'start' && x + layer.right * letters + textWidth(text, size, layer.bold) > frame.area.right;
    return (
      <MarkedText
        x={over ? frame.area.right - 4 : x + layer.right * letters} y={y - layer.up * letters} text={text} size={size}
        fill={onPaper(layer.colour, colours)} anchor={over ? 'end' : layer.anchor} bold={layer.bold} halo={colours.paper}
      />
    );
  }
  if (layer.kind !== 'arrow' || !layer.label) return null;
  const [from, to] = [frame.at(layer.from), frame.at(layer.to)];
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (!inside(frame.area, to) || !(length > 0)) return null;
  const [ex, ey] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  return (
    <MarkedText
      x={to[0] + 6 * ex} y={to[1] + 9 * ey + 4} text={layer.label} size={13} fill={onPaper(layer.pen.colour, colours)}
      anchor={ex > 0.4 ? 'start' : ex < -0.4 ? 'end' : 'middle'} halo={colours.paper}
    />
  );
}
