// The page as a whole: it opens, keeps its state in the address, obeys keys, and lets nobody in without the key.
import { expect, test } from './visit.ts';

test('opens the scene that the command line asked for', async ({ visit }) => {
  await visit.open();
  expect(await visit.find('scene-picker').inputValue()).toBe('rod');
  await visit.expectView('scene');
  expect(await visit.verdict()).toBe('unique');
});

test('without the key it says what is missing, and asks the program nothing', async ({ visit }) => {
  const asked: string[] = [];
  visit.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await visit.page.goto(visit.studio.origin);
  await visit.expectText('no-token', /needs the key/);
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([]);
});

test('a link without the key opens where it points once the printed address is given', async ({ visit }) => {
  await visit.page.goto(`${visit.studio.origin}/#scene=rod-no-solution&view=map`);
  await visit.find('token-field').fill('not the key');
  expect(await visit.find('token-field').isVisible()).toBe(true);
  await visit.find('token-field').fill(visit.studio.url);
  await visit.expectVerdict('inconsistent');
  await visit.expectView('map');
});

test('a typed friction changes verdict, address and mode table, and a reload keeps all three', async ({ visit }) => {
  await visit.open();
  await visit.type('number-contact.tip.mu', '1.5');
  await visit.expectVerdict('inconsistent');
  await visit.expectFragment('contact.tip.mu', /^1\.5$/);
  const rows = await visit.find('mode-table').innerText();
  await visit.page.reload();
  await visit.expectVerdict('inconsistent');
  expect(await visit.find('number-contact.tip.mu').inputValue()).toBe('1.5');
  expect(await visit.find('mode-table').innerText()).toBe(rows);
});

test('the back button goes to the view before', async ({ visit }) => {
  await visit.open();
  await visit.find('tab-map').click();
  await visit.expectFragment('view', 'map');
  await visit.find('tab-play').click();
  await visit.expectFragment('view', 'play');
  await visit.page.goBack();
  await visit.expectView('map');
  await visit.page.goBack();
  await visit.expectView('scene');
  await visit.page.goForward();
  await visit.expectView('map');
});

test('keys choose the view, the theme and the list of keys', async ({ visit }) => {
  await visit.open();
  const names = ['scene', 'solutions', 'map', 'play', 'fast', 'limit'];
  for (const [index, name] of names.entries()) {
    await visit.page.keyboard.press(String(index + 1));
    await visit.expectView(name);
  }
  const theme = () => visit.page.evaluate(() => document.documentElement.dataset['theme']);
  expect(await theme()).toBe('light');
  await visit.page.keyboard.press('d');
  await expect.poll(theme).toBe('dark');
  await visit.page.keyboard.press('?');
  await expect.poll(() => visit.find('help-dialog').isVisible()).toBe(true);
  await visit.page.keyboard.press('Escape');
  await expect.poll(() => visit.find('help-dialog').count()).toBe(0);
});

test('keys that are typed into a field stay in it', async ({ visit }) => {
  await visit.open();
  await visit.type('number-contact.tip.mu', '0.2');
  await visit.expectFragment('contact.tip.mu', /^0\.2$/);
  await visit.expectView('scene');
});

test('the third-party notices are there', async ({ visit }) => {
  const answer = await visit.page.request.get(`${visit.studio.origin}/third-party-notices.txt`);
  expect(answer.status()).toBe(200);
  expect(answer.headers()['content-type']).toMatch(/^text\/plain/);
  const text = await answer.text();
  for (const name of ['preact', 'three', 'uplot', 'katex', 'KaTeX fonts']) expect(text).toContain(`\n${name} `);
});

test('an address with a state that does not exist leads back to one that does', async ({ visit }) => {
  await visit.page.goto(`${visit.studio.url}&scene=rod&contact.tip.mu=-1`);
  await visit.expectVerdict('error');
  await visit.expectText('verdict', /mu is -1/);
  visit.forgive(/400/);
  await visit.find('no-state-back').click();
  await visit.expectVerdict('unique');
  expect(visit.fragment().has('contact.tip.mu')).toBe(false);
});
