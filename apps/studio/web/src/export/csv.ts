// Tables for other programs: SI units in the head, full digits, one line a cell or sample.
import type { MapResult, Track } from '../types';
import { valueOfCell } from '../map/axes';

// Quoted where commas, quotes or line breaks would be read as structure.
export function csvField(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function line(fields: (string | number | null | undefined)[]): string {
  return fields.map(csvField).join(',');
}

const headed = (name: string, unit: string) => (unit && unit !== '1' ? `${name} [${unit}]` : name);

export function mapCsv(map: MapResult): string {
  const lines = [line([headed(map.x.name, map.x.unit), headed(map.y.name, map.y.unit), headed(map.quantity, map.unit), 'reason'])];
  for (let row = 0; row < map.y.count; ++row) {
    for (let column = 0; column < map.x.count; ++column) {
      const cell = row * map.x.count + column;
      const value = map.values[cell] ?? null;
      const shown = value === null ? null : map.words ? map.names[value] : value;
      lines.push(line([valueOfCell(map.x, column), valueOfCell(map.y, row), shown, map.reasons[map.reason[cell] ?? -1]]));
    }
  }
  return lines.join('\n') + '\n';
}

// One line a sample: time, then gap, velocity and force of every contact, energy and mode. `tracks`: the parts of one
// branch, from the root to its end.
export function branchCsv(tracks: Track[]): string {
  const [first, ...rest] = tracks.map(trackCsv);
  return [first ?? '', ...rest.map((part) => part.slice(part.indexOf('\n') + 1))].join('');
}

function trackCsv(track: Track): string {
  const components = track.rows === 3 ? ['t1', 't2', 'n'] : ['t', 'n'];
  const perContact = (symbol: string, unit: string) =>
    track.contacts.flatMap((contact) => components.map((component) => `${contact}.${symbol}_${component} [${unit}]`));
  const gaps = track.contacts.map((contact) => `${contact}.gap [m]`);
  const lines = [line(['t [s]', ...gaps, ...perContact('u', 'm/s'), ...perContact('lambda', 'N'), 'energy [J]', 'mode'])];
  track.t.forEach((t, sample) => {
    const at = (rows: number[][]) => rows.map((row) => row[sample]);
    lines.push(line([t, ...at(track.gap), ...at(track.u), ...at(track.lambda), track.energy[sample], track.mode[sample]]));
  });
  return lines.join('\n') + '\n';
}
