// Pointer, wheel and keys on a picture with a camera: what is gripped follows the pointer, empty ground moves the camera.
import type { Pixel } from './places';

// What a pressed pointer holds; `move` is called for every movement.
export interface Held {
  move: (pointer: Pixel, dx: number, dy: number) => void;
  release?: () => void;
  cursor: string;
}

export interface GestureTarget {
  grip: (pointer: Pixel) => Held | null;  // null: the camera is moved
  hover: (pointer: Pixel) => string;      // the cursor to show
  moveCamera: (dx: number, dy: number, pan: boolean) => void;
  zoom: (factor: number, about: Pixel) => void;
  fit: () => void;
}

const perNotch = 1.0015;  // per pixel of the wheel: some 16 % for a notch of 100
const keyStep = 24;       // [px]

function keyAction(target: GestureTarget, key: string, middle: Pixel): (() => void) | undefined {
  const move = (dx: number, dy: number) => () => target.moveCamera(dx, dy, false);
  const actions: Record<string, () => void> = {
    '+': () => target.zoom(1.2, middle), '=': () => target.zoom(1.2, middle), '-': () => target.zoom(1 / 1.2, middle), '0': () => target.fit(),
    ArrowLeft: move(keyStep, 0), ArrowRight: move(-keyStep, 0), ArrowUp: move(0, keyStep), ArrowDown: move(0, -keyStep),
  };
  return actions[key];
}

// Chromium hands out pointermove when a frame begins, and this as soon as the pointer moves: an answer that is asked for
// then is there when the frame begins. Others have pointermove alone.
const moved = 'onpointerrawupdate' in window ? ('pointerrawupdate' as 'pointermove') : 'pointermove';

type On = <K extends keyof HTMLElementEventMap>(name: K, act: (event: HTMLElementEventMap[K]) => void) => void;

function cornerOf(element: HTMLElement): Pixel {
  const box = element.getBoundingClientRect();
  return [box.left + element.clientLeft, box.top + element.clientTop];
}

function placeIn(element: HTMLElement, event: MouseEvent, corner = cornerOf(element)): Pixel {
  return [event.clientX - corner[0], event.clientY - corner[1]];
}

function followPointer(element: HTMLElement, target: GestureTarget, on: On) {
  let held: Held | null = null;
  let last: Pixel = [0, 0];
  let corner: Pixel = [0, 0];  // does not move while something is held: to ask again would lay out the page
  on('pointerdown', (event) => {
    if (event.button > 1) return;
    if (event.button === 1) event.preventDefault();  // else the browser scrolls by itself
    corner = cornerOf(element);
    last = placeIn(element, event, corner);
    const pan = event.button === 1 || event.shiftKey;
    const camera: Held = { move: (_, dx, dy) => target.moveCamera(dx, dy, pan), cursor: 'grabbing' };
    held = (event.button === 0 ? target.grip(last) : null) ?? camera;
    element.setPointerCapture(event.pointerId);
    element.style.cursor = held.cursor;
  });
  on(moved, (event) => {
    if (!held) return;
    const pointer = placeIn(element, event, corner);
    held.move(pointer, pointer[0] - last[0], pointer[1] - last[1]);
    last = pointer;
  });
  on('pointermove', (event) => {
    if (!held) element.style.cursor = target.hover(placeIn(element, event));
  });
  const release = () => {
    held?.release?.();
    held = null;
    element.style.cursor = '';
  };
  on('pointerup', release);
  on('pointercancel', release);
}

// Listens until the returned function is called.
export function listen(element: HTMLElement, target: GestureTarget): () => void {
  const ending = new AbortController();
  const on: On = (name, act) => element.addEventListener(name, act, { signal: ending.signal, passive: false });
  followPointer(element, target, on);
  on('dblclick', () => target.fit());
  on('wheel', (event) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1;
    target.zoom(perNotch ** (-event.deltaY * lines), placeIn(element, event));
  });
  on('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = keyAction(target, event.key, [element.clientWidth / 2, element.clientHeight / 2]);
    if (!action) return;
    action();
    event.preventDefault();
    event.stopPropagation();
  });
  return () => ending.abort();
}
