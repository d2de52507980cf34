// A robot that the program was started with: the page knows it by its name and never by a path.
import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from '../src/format.ts';
import type { Analysis } from '../src/types.ts';
import { commandLine, Studio } from './program.ts';
import { expect, test as plain } from './visit.ts';

const file = fileURLToPath(new URL('../../../../examples/robots/legged_foot.toml', import.meta.url));
const test = plain.extend({
  studio: [
    async ({}, use) => {
      const studio = await Studio.start(file);
      await use(studio);
      await studio.stop();
    },
    { scope: 'file' },
  ],
});

test('a robot is shown, moved and named as any other scene', async ({ visit }) => {
  await visit.open();
  await visit.expectVerdict('unique');
  const picker = visit.find('scene-picker');
  expect(await picker.locator('option:checked').innerText()).toBe('legged_foot.toml');
  const numbers = () => visit.find('contact-numbers').innerText();
  const printed = commandLine('analyze', file) as Analysis;
  expect(printed.mechanism).toBe('legged_foot');
  expect(await numbers()).toContain(format(printed.contacts[0]!.mu_jam!, 4));
  await picker.selectOption('rod');
  await expect.poll(numbers).not.toContain(format(printed.contacts[0]!.mu_jam!, 4));
  await picker.selectOption('legged_foot.toml');
  await expect.poll(numbers).toContain(format(printed.contacts[0]!.mu_jam!, 4));
  expect(await visit.page.content()).not.toContain('examples/robots');
});

test('the scenario of a robot, taken away and put beside its file, is the state that is shown', async ({ visit }) => {
  await visit.open({ scene: 'legged_foot.toml', 'contact.toe.mu': '1.9', 'state.ankle': '0.4' });
  const { name, bytes } = await visit.taken('export-scenario');
  expect(name).toBe('legged-foot.toml');
  const folder = mkdtempSync(join(tmpdir(), 'painleve-'));
  writeFileSync(join(folder, name), bytes);
  copyFileSync(file.replace(/toml$/, 'xml'), join(folder, 'legged_foot.xml'));
  const printed = commandLine('analyze', join(folder, name)) as Analysis;
  const shown = commandLine('analyze', file, '--set', 'contact.toe.mu=1.9', '--set', 'state.ankle=0.4') as Analysis;
  expect({ ...printed, scene: '' }).toEqual({ ...shown, scene: '' });
  expect(printed.verdict).toBe(await visit.verdict());
});

test('a robot is mapped, and more friction is one click away', async ({ visit }) => {
  await visit.open({ view: 'map' });
  const canvas = visit.find('map-canvas');
  await expect.poll(() => canvas.getAttribute('data-stage').then(Number)).toBeGreaterThan(0);
  const [x, y] = [await visit.find('map-x').inputValue(), await visit.find('map-y').inputValue()];
  expect(y).toMatch(/^contact\..*\.mu$/);
  const present = await visit.pointIn(visit.page.locator('.map-crosshair .centre'), 0.5, 0.5);
  await visit.page.mouse.click(present.x, (await visit.pointIn(canvas, 0, 0.25)).y);
  await visit.expectFragment(y, /^2\.2/);
  const set = [x, y].flatMap((path) => ['--set', `${path}=${visit.fragment().get(path)}`]);
  await visit.expectVerdict(String((commandLine('analyze', file, ...set) as Analysis).verdict));
});

test('no number and no name of a variable is cut off', async ({ visit }) => {
  await visit.open();
  const cut = await visit.page.locator('.variable input[type=text]').evaluateAll((fields) =>
    fields.filter((field) => field.scrollWidth > field.clientWidth + 1).map((field) => (field as HTMLInputElement).value));
  expect(cut).toEqual([]);
  const labels = await visit.page.locator('.variable label').evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent));
  expect(labels).toEqual([]);
});
