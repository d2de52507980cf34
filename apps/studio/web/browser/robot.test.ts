// A robot that the program was started with: the page knows it by its name and never by a path.
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
  await visit.expectVerdict('inconsistent').catch(() => undefined);
  await picker.selectOption('legged_foot.toml');
  await expect.poll(numbers).toContain(format(printed.contacts[0]!.mu_jam!, 4));
  expect(await visit.page.content()).not.toContain('examples/robots');
});
