// Where branches have not parted yet, their labels would lie on each other: one figure then carries them all.
import type { Figure } from '../scene/mechanism_view';
import type { Place } from '../types';

const longest = 36;  // [letters] of a label

function bodyPlaces(figure: Figure): Place[] {
  return figure.drawing.strokes.filter((stroke) => stroke.part === 'body' || stroke.part === 'linkage').flatMap((stroke) => stroke.points);
}

function size(places: Place[]): number {
  const along = (axis: 0 | 1 | 2) => {
    const values = places.map((place) => place[axis]);
    return Math.max(...values) - Math.min(...values);
  };
  return places.length ? Math.hypot(along(0), along(1), along(2)) : 0;
}

function coincide(a: Place[], b: Place[]): boolean {
  if (a.length !== b.length) return false;
  const near = 0.06 * size(a);
  return a.every((place, k) => Math.hypot(place[0] - b[k]![0], place[1] - b[k]![1], place[2] - b[k]![2]) <= near);
}

export function labelledOnce(figures: Figure[]): Figure[] {
  const groups: { first: number; places: Place[]; labels: string[] }[] = [];
  const result = figures.map((figure, index) => {
    if (!figure.label) return figure;
    const places = bodyPlaces(figure);
    const group = groups.find((one) => coincide(one.places, places));
    if (!group) groups.push({ first: index, places, labels: [figure.label] });
    else group.labels.push(figure.label);
    return group ? { ...figure, label: '' } : figure;
  });
  for (const { first, labels } of groups) {
    const text = [...new Set(labels)].join(', ');
    result[first] = { ...result[first]!, label: text.length > longest ? `${labels.length} branches` : text };
  }
  return result;
}
