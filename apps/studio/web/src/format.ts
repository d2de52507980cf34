// Numbers for people: five digits, angles in degrees, units behind.
export const degree = Math.PI / 180;

export function format(value: number | null | undefined, digits = 5): string {
  if (value === null || value === undefined) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-4) return Number(value.toPrecision(digits - 1)).toExponential().replace('e+', 'e').replaceAll('-', '−');
  return Number(value.toPrecision(digits)).toString().replace('-', '−');
}

// In a field of so many letters: as many of the digits as there is room for. A number whose end is cut off is another one.
export function formatWithin(value: number, letters: number, digits = 6): string {
  for (let kept = digits; kept > 2; --kept) {
    const text = format(value, kept);
    if (text.length <= letters) return text;
  }
  return format(value, 2);
}

// Modes are named with the hyphen of the keyboard, S-; other words may have hyphens of their own.
export function modeText(text: string): string {
  return text.replace(/([SI])-(?![a-z])/g, '$1−');
}

// SI unit -> what is shown, and the factor to it.
export function shownUnit(unit: string): { unit: string; factor: number } {
  if (unit === 'rad') return { unit: '°', factor: 1 / degree };
  if (unit === 'rad/s') return { unit: 'rad/s', factor: 1 };
  if (unit === '1') return { unit: '', factor: 1 };
  return { unit: unit.replace('^2', '²').replace('^3', '³').replace(/ /g, ' '), factor: 1 };
}

export function formatWithUnit(value: number | null | undefined, unit: string, digits = 5): string {
  if (value === null || value === undefined) return '–';
  const shown = shownUnit(unit);
  const space = shown.unit === '' || shown.unit === '°' ? '' : ' ';
  return format(value * shown.factor, digits) + space + shown.unit;
}

// What a person types: "60deg", "60°" or a number in the shown unit. null: not a number.
export function parseShown(text: string, unit: string): number | null {
  const match = /^\s*([-+−]?[0-9.]+(?:e[-+]?[0-9]+)?)\s*(deg|°|rad)?\s*$/.exec(text.toLowerCase());
  if (!match) return null;
  const value = Number(match[1]!.replace('−', '-'));
  if (!Number.isFinite(value) || (match[2] && unit !== 'rad')) return null;
  if (match[2] === 'rad') return value;
  if (match[2]) return value * degree;
  return value / shownUnit(unit).factor;
}
