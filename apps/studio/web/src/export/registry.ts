// What the views on the screen offer for export: their data by name, and a picture where the element on the screen is not
// one already. Offered while a view is shown, asked for only when somebody exports.
import { useEffect, useRef } from 'preact/hooks';

export interface OfferedData {
  object: () => object | null;  // null: nothing to show yet
  csv?: () => string | null;
}
export interface OfferedPicture {
  make: () => HTMLCanvasElement | null;  // null: nothing to show yet
  title: () => string;                   // what it shows
}

const data = new Map<string, OfferedData>();
let picture: OfferedPicture | null = null;

// Returns what takes the offer back.
export function offerData(name: string, object: () => object | null, csv?: () => string | null): () => void {
  const offer: OfferedData = csv ? { object, csv } : { object };
  data.set(name, offer);
  return () => {
    if (data.get(name) === offer) data.delete(name);
  };
}

export function offerPicture(offer: OfferedPicture): () => void {
  picture = offer;
  return () => {
    if (picture === offer) picture = null;
  };
}

export function offeredData(): ReadonlyMap<string, OfferedData> {
  return data;
}

export function offeredPicture(): OfferedPicture | null {
  return picture;
}

// For views: offered from the first to the last showing, always with the newest values.
export function useOfferedData(name: string, object: () => object | null, csv?: () => string | null) {
  const newest = useRef({ object, csv });
  newest.current = { object, csv };
  const tabular = csv !== undefined;
  useEffect(
    () => offerData(name, () => newest.current.object(), tabular ? () => newest.current.csv?.() ?? null : undefined),
    [name, tabular],
  );
}

export function useOfferedPicture(make: OfferedPicture['make'], title: string) {
  const newest = useRef({ make, title });
  newest.current = { make, title };
  useEffect(() => offerPicture({ make: () => newest.current.make(), title: () => newest.current.title }), []);
}
