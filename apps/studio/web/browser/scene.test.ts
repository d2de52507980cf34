// The scene: pulled with the mouse, moved with sliders, numbers and modes that follow; verdicts are the command line's.
import { format } from '../src/format.ts';
import type { Analysis } from '../src/types.ts';
import { gripOf, type Grip } from './grip.ts';
import { commandLine } from './program.ts';
import { expect, test, type Point, type Visit } from './visit.ts';

// The tip of the velocity arrow, as the picture says.
async function arrowOf(visit: Visit): Promise<Point> {
  const mechanism = visit.find('mechanism');
  await expect.poll(() => mechanism.getAttribute('data-tip-x')).not.toBeNull();
  const box = (await mechanism.boundingBox())!;
  return { x: box.x + Number(await mechanism.getAttribute('data-tip-x')), y: box.y + Number(await mechanism.getAttribute('data-tip-y')) };
}

// The gripped point of a rod that leans by `angle`, turned about its foot to `other`.
function turned(grip: Grip, angle: number, other: number): Point {
  const length = (grip.floor - grip.y) / Math.sin(angle);
  return { x: grip.x + length * (Math.cos(angle) - Math.cos(other)), y: grip.floor - length * Math.sin(other) };
}

const settings = (visit: Visit) =>
  [...visit.fragment()].filter(([key]) => /^(state|contact|parameters)\./.test(key)).flatMap(([key, value]) => ['--set', `${key}=${value}`]);

const shown = (visit: Visit, key: string) => visit.find('contact-numbers').locator(`[data-key="${key}"]`).innerText();

test('pulling the rod down leaves the paradox, pulling it up enters it again', async ({ visit }) => {
  await visit.open({ scene: 'rod', 'contact.tip.mu': '1.5' });
  await visit.expectVerdict('inconsistent');
  const start = await gripOf(visit.page);
  await visit.page.mouse.move(start.x, start.y);
  await visit.page.mouse.down();
  await visit.moveAlong((part) => turned(start, Math.PI / 3, Math.PI / 3 - 0.45 * part));
  await visit.expectVerdict('unique');
  await visit.moveAlong((part) => turned(start, Math.PI / 3, Math.PI / 3 - 0.45 * (1 - part)));
  await visit.page.mouse.up();
  await visit.expectVerdict('inconsistent');
});

test('what comes and goes while the rod is pulled leaves the picture of the cone its size', async ({ visit }) => {
  await visit.open({ scene: 'rod', 'contact.tip.mu': '1.5' });
  await visit.expectVerdict('inconsistent');
  const heightOf = async (part: string) => (await visit.find('cone').locator(part).boundingBox())!.height;
  const entries = () => visit.find('cone').locator('.entry').count();
  const [picture, legend, many] = [await heightOf('.picture'), await heightOf('figcaption'), await entries()];
  const start = await gripOf(visit.page);
  await visit.drag(start, turned(start, Math.PI / 3, Math.PI / 3 - 0.45));
  await visit.expectVerdict('unique');
  expect(await entries()).toBeLessThan(many);
  expect([await heightOf('.picture'), await heightOf('figcaption')]).toEqual([picture, legend]);
  await visit.page.setViewportSize({ width: 1500, height: 768 });  // another width: the room is measured anew
  await expect.poll(() => heightOf('figcaption')).toBeLessThan(legend);
});

test('after a drag, page, address and command line agree on every number', async ({ visit }) => {
  await visit.open({ scene: 'rod', 'contact.tip.mu': '1.5' });
  const start = await gripOf(visit.page);
  await visit.drag(start, { x: start.x + 7, y: start.y + 40 });
  await visit.expectFragment('state.theta', /\d/);
  await visit.page.waitForTimeout(500);  // the address is written now and then
  const printed = commandLine('analyze', 'rod', ...settings(visit)) as Analysis;
  const tip = printed.contacts[0]!;
  expect(await visit.verdict()).toBe(printed.verdict);
  expect(await shown(visit, 'p')).toContain(format(tip.p!, 4));
  expect(await shown(visit, 'mu_jam')).toContain(format(tip.mu_jam!, 4));
  expect(await shown(visit, 'b_n')).toContain(format(tip.b_n, 4));
  const rows = printed.modes.map((mode) => `mode-${mode.name}`);
  expect(await visit.find('mode-table').locator('[data-testid^="mode-"]').evaluateAll((all) => all.map((row) => row.getAttribute('data-testid')))).toEqual(rows);
});

test('a drag asks on the line, and by requests where there is no line', async ({ visit }) => {
  const pull = async () => {
    await visit.open({ scene: 'rod', 'contact.tip.mu': '1.5' });
    await visit.expectVerdict('inconsistent');
    await visit.page.waitForTimeout(300);
    const asked: string[] = [];
    const note = (request: { url: () => string }) => void asked.push(new URL(request.url()).pathname);
    visit.page.on('request', note);
    const start = await gripOf(visit.page);
    await visit.drag(start, turned(start, Math.PI / 3, Math.PI / 3 - 0.45));
    await visit.expectVerdict('unique');
    visit.page.off('request', note);
    return asked.filter((path) => path === '/api/drag' || path === '/api/analyze').length;
  };
  const sent: string[] = [];
  visit.page.on('websocket', (line) => line.on('framesent', (frame) => void sent.push(String(frame.payload).split('\n')[0]!)));
  expect(await pull()).toBe(0);
  expect(sent.some((head) => /^\d+ drag$/.test(head))).toBe(true);
  await visit.page.routeWebSocket(/api\/line/, (line) => void line.close());
  await visit.page.goto('about:blank');
  expect(await pull()).toBeGreaterThan(0);
});

test('the velocity arrow can be turned round', async ({ visit }) => {
  await visit.open({ scene: 'rod', 'contact.tip.mu': '1.5' });
  const arrow = await arrowOf(visit);
  await visit.drag(arrow, { x: arrow.x - 250, y: arrow.y });
  await expect.poll(() => Number(visit.fragment().get('state.slip'))).toBeLessThan(0);
  await visit.expectVerdict('unique');
  await expect.poll(() => shown(visit, 'u_t')).toMatch(/^−/);
});

test('a slider dragged to its end, and the arrow keys on it', async ({ visit }) => {
  await visit.open({ scene: 'rod' });
  const slider = visit.find('slider-contact.tip.mu');
  await visit.drag(await visit.pointIn(slider, 0.3, 0.5), await visit.pointIn(slider, 1, 0.5));
  await visit.expectVerdict('inconsistent');
  const before = Number(await slider.inputValue());
  await slider.press('ArrowLeft');
  await expect.poll(() => slider.inputValue().then(Number)).toBeLessThan(before);
});

test('a number that is none is refused in place, and Escape takes it back', async ({ visit }) => {
  await visit.open({ scene: 'rod' });
  const field = visit.find('number-contact.tip.mu');
  const before = await field.inputValue();
  await field.click();
  await field.fill('much');
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  await field.press('Escape');
  expect(await field.inputValue()).toBe(before);
  expect(visit.fragment().has('contact.tip.mu')).toBe(false);
});

test('a value that the scene refuses is said in the badge, and the picture stays', async ({ visit }) => {
  await visit.open({ scene: 'rod' });
  await visit.type('number-contact.tip.mu', '-1');
  await visit.expectVerdict('error');
  await visit.expectText('verdict', /mu/);
  expect(await visit.find('mechanism').isVisible()).toBe(true);
});

test('a click on a mode chooses its forces', async ({ visit }) => {
  await visit.open({ scene: 'wedge' });
  await visit.expectVerdict('indeterminate');
  await visit.find('mode-TT').first().click();
  await visit.expectFragment('mode', /^TT$/);
  await expect.poll(() => visit.find('mode-TT').first().getAttribute('class')).toContain('chosen');
});

test('space and plane are drawn each in its own way', async ({ visit }) => {
  await visit.open({ scene: 'rod-3d' });
  await expect.poll(() => visit.find('mechanism').getAttribute('data-kind')).toBe('space');
  expect(await visit.find('cone').isVisible()).toBe(true);
  await visit.find('scene-picker').selectOption('block');
  await expect.poll(() => visit.find('mechanism').getAttribute('data-kind')).toBe('plane');
});
