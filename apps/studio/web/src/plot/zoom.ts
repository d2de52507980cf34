// Wheel to zoom, drag to move, double click to see all again; the keys + − 0 and the arrows do the same. What is
// neither a drag nor a double click is a click.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PlotData } from '../types';
import { inside, type Point } from './clip';
import type { PlotFrame } from './frame';
import { movedRange, type View } from './ranges';

const clickSlack = 4;      // [px] a hand shakes
const doubleClick = 260;   // [ms]

export interface Zoom {
  view: View | null;
  attach: (element: SVGSVGElement | null) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

// What the hand does, to whom it may concern.
interface Gestures {
  frame: () => PlotFrame | null;
  zoomed: () => boolean;
  move: (at: Point, factor: number, by?: Point) => void;  // about a share of the area, by shares of it
  all: () => void;
  click: (pixel: Point) => void;
  hover: (pixel: Point | null) => void;
}

function place(event: MouseEvent, element: Element): Point {
  const box = element.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

// Shares of the area, from its lower left corner.
function shares(frame: PlotFrame, [x, y]: Point): Point {
  const { left, right, top, bottom } = frame.area;
  return [(x - left) / (right - left), (bottom - y) / (bottom - top)];
}

function within(gestures: Gestures, at: Point): PlotFrame | null {
  const frame = gestures.frame();
  return frame && inside(frame.area, at) ? frame : null;
}

function listenToPointer(element: SVGSVGElement, gestures: Gestures, signal: AbortSignal) {
  let press: { at: Point; last: Point; moved: boolean } | null = null;
  let pending: number | undefined;
  element.addEventListener('pointerdown', (event) => {
    const at = place(event, element);
    if (event.button === 0 && within(gestures, at)) press = { at, last: at, moved: false };
  }, { signal });
  element.addEventListener('pointermove', (event) => {
    const at = place(event, element);
    const frame = gestures.frame();
    if (!press || !frame) return gestures.hover(within(gestures, at) ? at : null);
    if (!press.moved && Math.hypot(at[0] - press.at[0], at[1] - press.at[1]) < clickSlack) return;
    if (!press.moved) element.setPointerCapture(event.pointerId);
    press.moved = true;
    const [a, b] = [shares(frame, press.last), shares(frame, at)];
    gestures.move([0, 0], 1, [a[0] - b[0], a[1] - b[1]]);
    press.last = at;
  }, { signal });
  element.addEventListener('pointerup', () => {
    const clicked = press && !press.moved ? press.at : null;
    press = null;
    if (!clicked) return;
    // Only where there is something to go back to, a click has to wait for a second one.
    window.clearTimeout(pending);
    if (!gestures.zoomed()) gestures.click(clicked);
    else pending = window.setTimeout(() => gestures.click(clicked), doubleClick);
  }, { signal });
  element.addEventListener('pointercancel', () => (press = null), { signal });
  element.addEventListener('pointerleave', () => gestures.hover(null), { signal });
  const forget = () => window.clearTimeout(pending);
  element.addEventListener('dblclick', () => (forget(), gestures.all()), { signal });
  signal.addEventListener('abort', forget);
}

function listenToWheel(element: SVGSVGElement, gestures: Gestures, signal: AbortSignal) {
  const wheel = (event: WheelEvent) => {
    const at = place(event, element);
    const frame = within(gestures, at);
    if (!frame) return;
    event.preventDefault();
    gestures.move(shares(frame, at), Math.exp(0.0016 * Math.max(-300, Math.min(300, event.deltaY))));
  };
  element.addEventListener('wheel', wheel, { signal, passive: false });
}

function keyMove(key: string, gestures: Gestures): (() => void) | undefined {
  const moves: Record<string, () => void> = {
    '+': () => gestures.move([0.5, 0.5], 0.8),
    '-': () => gestures.move([0.5, 0.5], 1.25),
    '0': gestures.all,
    ArrowLeft: () => gestures.move([0, 0], 1, [-0.1, 0]),
    ArrowRight: () => gestures.move([0, 0], 1, [0.1, 0]),
    ArrowUp: () => gestures.move([0, 0], 1, [0, 0.1]),
    ArrowDown: () => gestures.move([0, 0], 1, [0, -0.1]),
  };
  return moves[key];
}

export function useZoom(
  plot: PlotData,
  frame: { current: PlotFrame | null },
  onClick: ((pixel: Point) => void) | undefined,
  onHover: (pixel: Point | null) => void,
): Zoom {
  const [element, setElement] = useState<SVGSVGElement | null>(null);
  const [view, setView] = useState<View | null>(null);
  // The listeners live as long as the element; what they look at is the newest.
  const now = useRef({ plot, view, onClick, onHover });
  now.current = { plot, view, onClick, onHover };
  const gestures: Gestures = {
    frame: () => frame.current,
    zoomed: () => now.current.view !== null,
    move: (at, factor, by = [0, 0]) => {
      const shown = frame.current?.view;
      if (!shown) return;
      const { x, y } = now.current.plot;
      setView({ x: movedRange(shown.x, x, at[0], factor, by[0]), y: movedRange(shown.y, y, at[1], factor, by[1]) });
    },
    all: () => setView(null),
    click: (pixel) => now.current.onClick?.(pixel),
    hover: (pixel) => now.current.onHover(pixel),
  };
  useEffect(() => {
    if (!element) return;
    const listening = new AbortController();
    listenToPointer(element, gestures, listening.signal);
    listenToWheel(element, gestures, listening.signal);
    return () => listening.abort();
  }, [element]);
  // Another quantity on an axis: what was zoomed into is no longer there.
  useEffect(() => setView(null), [plot.x.label, plot.x.unit, plot.y.label, plot.y.unit]);
  const onKeyDown = (event: KeyboardEvent) => {
    const known = keyMove(event.key, gestures);
    if (!known || event.ctrlKey || event.metaKey || event.altKey) return;
    known();
    event.preventDefault();
    event.stopPropagation();
  };
  return { view, attach: setElement, onKeyDown };
}
