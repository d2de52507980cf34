// The sentence about one cell of a map: both variables, and the quantity or why there is none.
import { formatWithUnit, modeText } from '../format';
import type { MapResult } from '../types';
import { cellOfValue, valueOfCell, type Axes } from './axes';

// Reasons come with all digits of their numbers; a line to read does not need them.
function shortened(reason: string): string {
  return reason.replace(/\d+\.\d{6,}(?!\d*e)/g, (digits) => String(Number(Number(digits).toPrecision(5))));
}

// `cell` counts on the grid that was asked for; a coarse stage answers with its own nearest one.
export function hoverText(result: MapResult, axes: Axes, cell: [number, number]): string {
  const column = cellOfValue(result.x, valueOfCell(axes.x, cell[0]));
  const row = cellOfValue(result.y, valueOfCell(axes.y, cell[1]));
  const index = row * result.x.count + column;
  const value = result.values[index] ?? null;
  const place =
    `${result.x.name} = ${formatWithUnit(valueOfCell(result.x, column), result.x.unit)}, ` +
    `${result.y.name} = ${formatWithUnit(valueOfCell(result.y, row), result.y.unit)}`;
  if (value === null) return `${place}: no ${result.quantity}: ${shortened(result.reasons[result.reason[index] ?? -1] ?? 'it does not exist here')}`;
  const text = result.words ? modeText(result.names[value] ?? '?') : formatWithUnit(value, result.unit);
  return `${place}: ${result.quantity} ${result.words ? '' : '= '}${text}`;
}
