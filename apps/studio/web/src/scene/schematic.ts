// Contacts of scenes that have no mechanism: pieces of surface side by side, each with the frame of its contact, to carry
// cones and arrows in one scale.
import type { Analysis, Drawing, Place } from '../types';
import type { Figure } from './figure';
import { plus } from './places';

const distance = 2.5;  // between the middles of pieces that are 2 wide
const inRow = 3;

function middle(index: number): Place {
  const [column, row] = [index % inRow, Math.floor(index / inRow)];
  return [distance * column, -distance * row, 0];
}

function patches(names: string[], space: boolean): Drawing {
  const corners: Place[] = space ? [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]] : [[-1, 0, 0], [1, 0, 0]];
  return {
    dimension: space ? 3 : 2,
    strokes: names.map((_, index) => ({
      part: 'surface', points: corners.map((corner) => plus(middle(index), 1, corner)), closed: space, width: 0,
    })),
    balls: [],
    contacts: names.map((name, index) => ({
      name,
      at: middle(index),
      tangents: space ? [[1, 0, 0], [0, 1, 0]] : [[1, 0, 0]],
      normal: space ? [0, 0, 1] : [0, 1, 0],
      surface_velocity: [0, 0, 0],
    })),
    gravity: [0, 0, 0],
  };
}

// What MechanismView shows of such a scene: one figure with all contacts. Drifting contacts are known by P and b only:
// they have neither velocity nor friction.
export function schematicFigures(analysis: Analysis, forces: number[]): Figure[] {
  const { contacts } = analysis;
  const figure: Figure = {
    drawing: patches(contacts.map((contact) => contact.name), analysis.dimension === 3),
    opacity: 1,
    forces,
    closed: contacts.map((contact) => contact.closed),
    bilateral: contacts.map((contact) => contact.bilateral),
  };
  if ((analysis.u as number[] | null) !== null) figure.velocities = analysis.u;
  if (contacts.every((contact) => (contact.mu as number | null) !== null)) figure.mu = contacts.map((contact) => contact.mu);
  return [figure];
}
