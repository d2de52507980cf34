// The map: progressive, hovered, clicked, dragged and walked over by keys; its crosshair is the state of the scene.
import type { Locator } from 'playwright-core';
import { commandLine } from './program.ts';
import { expect, test, type Visit } from './visit.ts';

const axes = {
  x: { path: 'state.theta', from: 0.2, to: 1.4, count: 60 },
  y: { path: 'contact.tip.mu', from: 0.25, to: 2.25, count: 50 },
  of: 'verdict',
};

async function openMap(visit: Visit): Promise<Locator> {
  await visit.open({ scene: 'rod', view: 'map', map: JSON.stringify(axes) });
  await expect.poll(() => visit.find('map-canvas').getAttribute('data-final')).toBe('true');
  return visit.find('map-canvas');
}

function valueOf(axis: typeof axes.x, cell: number): number {
  return axis.from + ((axis.to - axis.from) * cell) / (axis.count - 1);
}

// A cell of the map, as the command line analyses it.
function verdictAt(theta: number, mu: number): string {
  const set = ['--set', `state.theta=${theta}`, '--set', `contact.tip.mu=${mu}`];
  return String((commandLine('analyze', 'rod', ...set) as { verdict: string }).verdict);
}

// The middle of a cell, as values lie on it.
async function middleOf(visit: Visit, canvas: Locator, column: number, row: number) {
  return visit.pointIn(canvas, (column + 0.5) / axes.x.count, 1 - (row + 0.5) / axes.y.count);
}

test('is drawn with the grid that was asked for', async ({ visit }) => {
  const canvas = await openMap(visit);
  expect(await canvas.getAttribute('data-columns')).toBe('60');
  expect(await canvas.getAttribute('data-rows')).toBe('50');
  await expect.poll(() => visit.find('map-job').count()).toBe(0);
  expect(await visit.find('map-x').inputValue()).toBe('state.theta');
  expect(await visit.find('map-y').inputValue()).toBe('contact.tip.mu');
});

test('hover tells the verdict of the command line, on both sides of the boundary', async ({ visit }) => {
  const canvas = await openMap(visit);
  const seen = new Set<string>();
  for (const [column, row] of [[5, 5], [40, 45], [40, 10], [55, 30]] as const) {
    const at = await middleOf(visit, canvas, column, row);
    await visit.page.mouse.move(at.x, at.y);
    const verdict = verdictAt(valueOf(axes.x, column), valueOf(axes.y, row));
    await visit.expectText('map-hover', new RegExp(`theta = .*mu = .*: verdict ${verdict}$`));
    seen.add(verdict);
  }
  expect([...seen].sort()).toEqual(['inconsistent', 'unique']);
});

test('a click sends the state to the scene, and a reload keeps it', async ({ visit }) => {
  const canvas = await openMap(visit);
  await visit.expectVerdict('unique');
  const at = await middleOf(visit, canvas, 40, 45);
  await visit.page.mouse.click(at.x, at.y);
  await visit.expectVerdict('inconsistent');
  const crosshair = visit.find('map-crosshair');
  const [theta, mu] = [Number(await crosshair.getAttribute('data-x')), Number(await crosshair.getAttribute('data-y'))];
  expect(theta).toBeCloseTo(valueOf(axes.x, 40), 12);
  expect(mu).toBeCloseTo(valueOf(axes.y, 45), 12);
  await expect.poll(() => Number(visit.fragment().get('state.theta'))).toBe(theta);
  await visit.page.reload();
  await visit.expectVerdict('inconsistent');
  await expect.poll(() => visit.find('map-canvas').getAttribute('data-final')).toBe('true');
  expect(Number(await visit.find('map-crosshair').getAttribute('data-x'))).toBe(theta);
});

test('dragging over the boundary and back changes the verdict there and back', async ({ visit }) => {
  const canvas = await openMap(visit);
  const [low, high] = [await middleOf(visit, canvas, 40, 5), await middleOf(visit, canvas, 40, 45)];
  await visit.drag(low, high);
  await visit.expectVerdict('inconsistent');
  await visit.drag(high, low);
  await visit.expectVerdict('unique');
});

test('arrow keys move the crosshair by one cell', async ({ visit }) => {
  const canvas = await openMap(visit);
  const at = await middleOf(visit, canvas, 30, 20);
  await visit.page.mouse.click(at.x, at.y);
  const column = () => visit.find('map-crosshair').getAttribute('data-x').then(Number);
  await expect.poll(column).toBeCloseTo(valueOf(axes.x, 30), 12);
  await canvas.press('ArrowRight');
  await expect.poll(column).toBeCloseTo(valueOf(axes.x, 31), 12);
});

test('another quantity is another map, with its unit', async ({ visit }) => {
  const canvas = await openMap(visit);
  await visit.find('map-of').selectOption('p');
  await expect.poll(() => visit.fragment().get('map')).toContain('"of":"p"');
  await expect.poll(() => canvas.getAttribute('data-final')).toBe('true');
  const at = await middleOf(visit, canvas, 40, 45);
  await visit.page.mouse.move(at.x, at.y);
  await visit.expectText('map-hover', /: p = −0\.\d+ 1\/kg$/);
});

test('a long map comes coarse first, and can be stopped', async ({ visit }) => {
  const runs = { x: { ...axes.x, count: 150 }, y: { ...axes.y, count: 150 }, of: 'outcome' };
  await visit.open({ scene: 'rod', view: 'map', map: JSON.stringify(runs) });
  const canvas = visit.find('map-canvas');
  await expect.poll(() => canvas.getAttribute('data-stage').then(Number)).toBeGreaterThan(0);
  expect(await canvas.getAttribute('data-final')).toBe('false');
  expect(Number(await canvas.getAttribute('data-columns'))).toBeLessThan(150);
  await visit.find('job-cancel').click();
  await visit.expectText('map-job', /^stopped$/);
});

test('a map that is too large is refused in one sentence', async ({ visit }) => {
  const million = { x: { ...axes.x, count: 1000 }, y: { ...axes.y, count: 1000 }, of: 'verdict' };
  await visit.open({ scene: 'rod', view: 'map', map: JSON.stringify(million) });
  await visit.expectText('map-job', /1000000 cells, allowed are/);
});
