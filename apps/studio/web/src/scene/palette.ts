// The colours of the theme for what is drawn on canvases, which no style sheet reaches. Read once per theme: asking the
// browser for a style in every frame would make it lay out the page.
import { arrows, series } from '../colours';

export interface Palette {
  dark: boolean;
  paper: string;
  panel: string;
  ink: string;
  faint: string;
  line: string;
  body: string;
  surface: string;
  wrong: string;
  force: string;
  velocity: string;
  cone: string;
  free: string;
  above: string;    // of the generalized friction cone
  below: string;    // its part below the tangent plane
  section: string;
  sector: string;
}

let known: Palette | null = null;
let knownTheme: string | undefined;

export function palette(): Palette {
  const theme = document.documentElement.dataset['theme'];
  if (known && theme === knownTheme) return known;
  const style = getComputedStyle(document.documentElement);
  const named = (name: string) => style.getPropertyValue(`--${name}`).trim() || '#808080';
  const dark = theme === 'dark';
  knownTheme = theme;
  known = {
    dark,
    paper: named('paper'), panel: named('panel'), ink: named('ink'), faint: named('faint'), line: named('line'),
    body: named('body'), surface: named('surface'), wrong: named('wrong'),
    force: arrows.force,
    velocity: dark ? series[2]! : arrows.velocity,  // the dark blue drowns on a dark ground
    cone: arrows.cone,
    free: arrows.free,
    above: series[2]!, below: series[6]!, section: series[3]!, sector: series[4]!,
  };
  return known;
}

// Larger words in larger pictures: a projector is read from afar.
export function fontFor(side: number): string {
  const size = Math.max(13, Math.min(18, Math.round(12 + (side - 400) / 120)));
  return `${size}px system-ui, 'DejaVu Sans', sans-serif`;
}
