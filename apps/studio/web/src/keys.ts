// Keys for the whole page: 1 to 6 choose the view, t the tour, d dark or light, ? the list of keys.
import { useLayoutEffect } from 'preact/hooks';
import { views } from './state';
import { current, go, update } from './store';

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.matches('input[type=text], textarea, select') || target.isContentEditable);
}

export function useKeys(toggleHelp: () => void) {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
      const view = views[Number(event.key) - 1];
      if (view) go(view);
      else if (event.key === 't') update({ story: current().story >= 0 ? -1 : 0 }, true);
      else if (event.key === 'd') update({ theme: document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark' });
      else if (event.key === '?') toggleHelp();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
