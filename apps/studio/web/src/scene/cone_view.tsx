// The generalized friction cone of one contact, with a legend in words.
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { ConeShape, ContactAnalysis } from '../types';
import { reachesBelow } from './cone_geometry';
import { ConePicture } from './cone_picture';
import { watchTheme } from '../theme';
import { drawnOnChange, useKeptRoom } from '../ui';
import { palette, type Palette } from './palette';
import { usePicture } from './picture';
import './cone.css';
import './picture.css';

interface Entry {
  colour: string;
  kind: 'area' | 'arrow' | 'ray';
  sign: string;
  words: string;
}

// Only what is to be seen just now.
function legend(shape: ConeShape, colours: Palette): Entry[] {
  const space = shape.dimension === 3;
  const plane = space ? 'tangent plane' : 'tangent line';
  const entries: Entry[] = [{ colour: colours.above, kind: 'area', sign: 'W κ', words: 'what contact forces can do to the velocity' }];
  if (reachesBelow(shape.rim)) entries.push({ colour: colours.below, kind: 'area', sign: 'p < 0', words: `below the ${plane}: pressing pulls in` });
  if (shape.section.length > 0) entries.push({ colour: colours.section, kind: 'area', sign: 'δuₙ = 0', words: 'jam section' });
  if (shape.locking_rim.length > 0) entries.push({ colour: colours.sector, kind: 'area', sign: 'α', words: 'slip directions that jam' });
  entries.push({ colour: colours.free, kind: 'arrow', sign: 'δu₀', words: 'without contact force (∥ b)' });
  if (shape.slip) {
    entries.push({ colour: colours.velocity, kind: 'arrow', sign: 'e', words: 'present slip' });
    entries.push({ colour: colours.force, kind: 'ray', sign: 'W(−μe, 1)', words: 'with the friction against e; its height is p' });
  }
  return entries;
}

const LegendEntry = drawnOnChange(({ colour, kind, sign, words }: Entry) => (
  <span class="entry">
    <span class={`swatch ${kind}`} style={{ backgroundColor: colour }} aria-hidden="true" />
    <b>{sign}</b> {words}
  </span>
));

interface ConeViewProps {
  shape: ConeShape;
  contact: ContactAnalysis;
  testid?: string;
}

function Cone(props: ConeViewProps) {
  const { root, ground, canvas, picture } = usePicture((layers) => new ConePicture(layers));
  useLayoutEffect(() => picture.current!.show(props));
  const room = useKeptRoom<HTMLElement>();
  const [, redraw] = useState(0);
  useEffect(() => watchTheme(() => redraw((n) => n + 1)), []);
  const colours = palette();
  const words = `generalized friction cone of ${props.contact.name}${reachesBelow(props.shape.rim) ? ', it reaches below the tangent plane' : ''}`;
  return (
    <figure class="cone" data-testid={props.testid ?? 'cone'}>
      <div ref={root} class="picture" tabIndex={0} role="img" aria-label={words}>
        <canvas ref={ground} hidden />
        <canvas ref={canvas} />
      </div>
      <figcaption ref={room}>
        {legend(props.shape, colours).map((entry) => <LegendEntry key={entry.sign} {...entry} />)}
      </figcaption>
    </figure>
  );
}

// The canvases of the plane are others than those of space.
export function ConeView(props: ConeViewProps) {
  return <Cone key={props.shape.dimension} {...props} />;
}
