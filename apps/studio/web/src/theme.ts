// Dark or light, for what is drawn by hand: style sheets follow the attribute of the root element by themselves, pictures
// must be told.
import { useEffect, useState } from 'preact/hooks';

// The colours of the paper on which pictures are drawn, as the theme has them.
export interface PaperColours {
  paper: string;
  ink: string;
  faint: string;
  line: string;
}

// Calls back when the theme changes; returns what ends it.
export function watchTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

// What `read` makes of the theme, read again when it changes.
export function useThemed<T>(read: () => T): T {
  const [value, setValue] = useState(read);
  useEffect(() => {
    const again = () => setValue(read());
    again();
    return watchTheme(again);
  }, []);
  return value;
}

function paperColours(): PaperColours {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string, otherwise: string) => style.getPropertyValue(name).trim() || otherwise;
  return {
    paper: value('--paper', '#ffffff'),
    ink: value('--ink', '#222222'),
    faint: value('--faint', '#6b6b6b'),
    line: value('--line', '#d4d4d0'),
  };
}

export function usePaperColours(): PaperColours {
  return useThemed(paperColours);
}
