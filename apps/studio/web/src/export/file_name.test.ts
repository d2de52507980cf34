import { expect, it } from 'vitest';
import { fileName, safeName } from './file_name';

it('leaves plain names alone', () => {
  expect(fileName('rod-no-solution', 'map', 'csv')).toBe('rod-no-solution-map.csv');
  expect(fileName('wedge', '', 'toml')).toBe('wedge.toml');
});

it.each([
  ['../../etc/passwd', 'etc-passwd'],
  ['C:\\temp\\a.toml', 'C-temp-a'],
  ['<script>alert(1)</script>', 'script-alert-1-script'],
  ['Painlevé  Brücke', 'Painleve-Brucke'],
  ['', 'scene'],
  ['…', 'scene'],
  ['con', 'scene-con'],
  ['.hidden', 'hidden'],
  ['a'.repeat(59) + '-b', 'a'.repeat(59)],
])('makes %j safe', (name, safe) => {
  expect(safeName(name)).toBe(safe);
});
