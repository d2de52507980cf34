// Limits: stiffer springs towards the rigid answers, begun by hand, surviving a reload, stopped by hand.
import { expect, test } from './visit.ts';

const few = JSON.stringify({ of: 'stiffness', from: 1e4, to: 1e7, count: 4, t_end: 0.1 });

test('a study runs, gives its verdict and plots, and is there again after a reload', async ({ visit }) => {
  await visit.open({ scene: 'rod-no-solution', view: 'limit', limit: few });
  await visit.find('limit-run').click();
  await expect.poll(() => visit.find('limit-verdict').count(), { timeout: 50_000 }).toBe(1);
  const verdict = await visit.find('limit-verdict').innerText();
  expect(verdict).toMatch(/[a-z]/);
  // A plot is drawn once its panel has been measured, which may be a frame after the verdict.
  await expect.poll(() => visit.find('limit-plots').locator('svg').count()).toBeGreaterThan(0);
  await expect.poll(() => visit.find('limit-series').locator('tbody tr').count()).toBeGreaterThan(0);
  await visit.page.reload();
  await expect.poll(() => visit.find('limit-verdict').count()).toBe(1);
  expect(await visit.find('limit-verdict').innerText()).toBe(verdict);
});

test('a long study can be stopped', async ({ visit }) => {
  const many = JSON.stringify({ of: 'stiffness', from: 1e4, to: 1e9, count: 12, t_end: 1 });
  await visit.open({ scene: 'rod-no-solution', view: 'limit', limit: many });
  await visit.find('limit-run').click();
  await visit.find('job-cancel').click();
  await visit.expectText('limit-job', /^stopped$/);
});
