// Two canvases in an element that they fill, solids of space below and everything else above: they follow the size of
// the element and the theme, and draw when they are told to.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { listen, type GestureTarget } from './gestures';
import { watchTheme } from '../theme';

export interface Picture extends GestureTarget {
  draw: () => void;
  resize: (width: number, height: number) => void;
  dispose?: () => void;
}

export interface Layers {
  root: HTMLElement;
  ground: HTMLCanvasElement;
  canvas: HTMLCanvasElement;
}

// What is to be read off the element; written only where it differs, for every attribute written makes the browser look
// for styles that might depend on it.
export function note(root: HTMLElement, name: string, value: string) {
  if (root.dataset[name] !== value) root.dataset[name] = value;
}

// `make` is called once, when the elements of the three refs are there.
export function usePicture<P extends Picture>(make: (layers: Layers) => P) {
  const root = useRef<HTMLDivElement>(null);
  const ground = useRef<HTMLCanvasElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const picture = useRef<P | null>(null);
  useLayoutEffect(() => {
    const made = (picture.current = make({ root: root.current!, ground: ground.current!, canvas: canvas.current! }));
    made.resize(root.current!.clientWidth, root.current!.clientHeight);
  }, []);
  useEffect(() => {
    const [element, made] = [root.current!, picture.current!];
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      made.resize(width, height);
      made.draw();
    });
    observer.observe(element);
    const quiet = listen(element, made);
    const unwatch = watchTheme(() => made.draw());
    return () => {
      observer.disconnect();
      quiet();
      unwatch();
      made.dispose?.();
    };
  }, []);
  return { root, ground, canvas, picture };
}
