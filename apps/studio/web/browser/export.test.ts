// What is taken away from the page: the picture, the scenario, the data, a page that stands alone, and the link.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine } from './program.ts';
import { expect, test } from './visit.ts';

test('the scenario that is taken away gives the same verdict in the command line', async ({ visit }) => {
  await visit.open({ scene: 'rod', 'contact.tip.mu': '1.5', 'state.theta': '1.1' });
  const { name, bytes } = await visit.taken('export-scenario');
  expect(name).toMatch(/\.toml$/);
  const file = join(mkdtempSync(join(tmpdir(), 'painleve-')), 'scene.toml');
  writeFileSync(file, bytes);
  const printed = commandLine('analyze', file) as { verdict: string; state: { q: { theta: number } } };
  expect(printed.verdict).toBe(await visit.verdict());
  expect(printed.state.q.theta).toBe(1.1);
});

test('the picture is one that can be opened', async ({ visit }) => {
  await visit.open({ scene: 'rod', 'contact.tip.mu': '1.5' });
  const { name, bytes } = await visit.taken('export-picture');
  expect(name).toMatch(/\.png$/);
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(bytes.readUInt32BE(16)).toBeGreaterThan(300);
});

test('the data are JSON with the state that is shown', async ({ visit }) => {
  await visit.open({ scene: 'rod', 'contact.tip.mu': '1.5' });
  const { name, bytes } = await visit.taken('export-data');
  expect(name).toMatch(/\.json$/);
  expect(JSON.stringify(JSON.parse(bytes.toString()))).toContain('"verdict":"inconsistent"');
});

test('the page that stands alone asks nobody for anything', async ({ visit, browser }) => {
  await visit.open({ scene: 'rod', 'contact.tip.mu': '1.5' });
  const { name, bytes } = await visit.taken('export-html');
  expect(name).toMatch(/\.html$/);
  const file = join(mkdtempSync(join(tmpdir(), 'painleve-')), 'alone.html');
  writeFileSync(file, bytes);
  expect(bytes.toString()).not.toContain(visit.studio.token);
  const page = await browser.newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`file://${file}`);
  expect(await page.locator('body').innerText()).toMatch(/inconsistent/);
  expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([`file://${file}`]);
  await page.close();
});

test('the menu is closed by Escape', async ({ visit }) => {
  await visit.open();
  await visit.find('export').click();
  await expect.poll(() => visit.find('export-scenario').isVisible()).toBe(true);
  await visit.page.keyboard.press('Escape');
  await expect.poll(() => visit.find('export-scenario').count()).toBe(0);
});
