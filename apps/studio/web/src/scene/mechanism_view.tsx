// The mechanism drawn in its plane or in space, with what acts at its contacts. The one drawing that all views share.
import { useLayoutEffect } from 'preact/hooks';
import type { Grip, Place } from '../types';
import type { Figure } from './figure';
import { MechanismPicture } from './mechanism_picture';
import { usePicture } from './picture';
import './picture.css';

export type { Figure } from './figure';

export interface MechanismViewProps {
  figures: Figure[];          // the first one decides what the camera sees when the scene changes
  sceneKey: string;           // changes when the camera must be set anew
  testid?: string;
  onDrag?: (grip: Grip, to: Place) => void;            // a body is pulled
  onDragVelocity?: (contact: number, u_t: number[]) => void;  // the tip of a velocity arrow is pulled
  canDragVelocity?: (contact: number) => boolean;      // unset: every one
}

function inWords(figures: Figure[]): string {
  const first = figures[0];
  if (!first) return 'nothing to draw';
  const names = first.drawing.contacts.map((contact) => contact.name).join(', ');
  const others = figures.length > 1 ? `, and ${figures.length - 1} more posture${figures.length > 2 ? 's' : ''}` : '';
  return `drawing of the mechanism, contacts ${names}${others}; arrow keys move the view, plus and minus zoom, 0 fits`;
}

function Mechanism(props: MechanismViewProps) {
  const { root, ground, canvas, picture } = usePicture((layers) => new MechanismPicture(layers));
  useLayoutEffect(() => picture.current!.show(props));
  return (
    <div ref={root} class="picture mechanism" data-testid={props.testid ?? 'mechanism'} tabIndex={0} role="img" aria-label={inWords(props.figures)}>
      <canvas ref={ground} hidden />
      <canvas ref={canvas} />
    </div>
  );
}

// The canvases of the plane are others than those of space.
export function MechanismView(props: MechanismViewProps) {
  return <Mechanism key={props.figures[0]?.drawing.dimension ?? 0} {...props} />;
}
