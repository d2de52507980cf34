// Colours of the page for pictures that are painted: read again when the theme changes.
import { useEffect, useState } from 'preact/hooks';
import type { Palette } from './picture';

function read(): Palette {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return { ink: colour('--ink'), faint: colour('--faint'), paper: colour('--paper'), line: colour('--line') };
}

export function usePalette(): Palette {
  const [palette, setPalette] = useState(read);
  useEffect(() => {
    const observer = new MutationObserver(() => setPalette(read()));
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    return () => observer.disconnect();
  }, []);
  return palette;
}
