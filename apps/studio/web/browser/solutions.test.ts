// All solutions of one time step: counted, listed and chosen, with the numbers of the command line.
import { format } from '../src/format.ts';
import { commandLine } from './program.ts';
import { expect, test } from './visit.ts';

interface Solve {
  count: number;
  verdict: string;
  solutions: { mode: string; Lambda_n: number[] }[];
}

test('three solutions of one step, as the command line finds them', async ({ visit }) => {
  const printed = commandLine('solve', 'rod-three-solutions', '--formulation', 'step', '--dt', '0.01') as Solve;
  await visit.open({ scene: 'rod-three-solutions', view: 'solutions' });
  await visit.expectText('solution-complete', new RegExp(`^${printed.count} solutions, the list is complete`));
  expect(printed.count).toBe(3);
  for (const [index, solution] of printed.solutions.entries()) {
    const row = visit.find(`solution-${index}`);
    expect(await row.getAttribute('data-mode')).toBe(solution.mode);
    expect((await row.locator('td').allInnerTexts())[0]).toBe(solution.Lambda_n.map((value) => format(value, 5)).join(', '));
  }
});

test('a click in the solution space chooses, and the address keeps the choice over a reload', async ({ visit }) => {
  await visit.open({ scene: 'rod-three-solutions', view: 'solutions' });
  const point = visit.find('solution-point-2');
  await point.waitFor();
  const at = await visit.pointIn(point, 0.5, 0.5);
  await visit.page.mouse.click(at.x, at.y);
  await expect.poll(() => visit.find('solution-2').getAttribute('aria-selected')).toBe('true');
  const title = await visit.find('solution-preview').locator('h2').innerText();
  await visit.expectFragment('solutions', /"chosen":2/);
  await visit.page.reload();
  await expect.poll(() => visit.find('solution-2').getAttribute('aria-selected')).toBe('true');
  expect(await visit.find('solution-preview').locator('h2').innerText()).toBe(title);
});

test('rows of the list can be chosen with the keyboard', async ({ visit }) => {
  await visit.open({ scene: 'rod-three-solutions', view: 'solutions' });
  await visit.find('solution-1').press('Enter');
  await expect.poll(() => visit.find('solution-1').getAttribute('aria-selected')).toBe('true');
  expect(await visit.find('solution-0').getAttribute('aria-selected')).toBe('false');
});

test('a longer step has lost two of them', async ({ visit }) => {
  await visit.open({ scene: 'rod-three-solutions', view: 'solutions' });
  await visit.expectText('solution-complete', /^3 solutions/);
  await visit.type('solution-dt', '0.05');
  await visit.expectText('solution-complete', /^1 solution,/);
  expect(await visit.find('solution-1').count()).toBe(0);
});

test('no solution is a result', async ({ visit }) => {
  await visit.open({ scene: 'rod-no-solution', view: 'solutions', solutions: '{"formulation":"acceleration"}' });
  await expect.poll(() => visit.find('solution-verdict').getAttribute('data-verdict')).toBe('none');
  await visit.expectText('solution-complete', /^0 solutions/);
  await visit.find('solution-formulation').selectOption('step');
  await expect.poll(() => visit.find('solution-verdict').getAttribute('data-verdict')).not.toBe('none');
});
