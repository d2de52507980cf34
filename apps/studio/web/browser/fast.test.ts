// Fast dynamics: the portrait of a contact on a spring, and what becomes of a start on either side of the separatrix.
import { expect, test } from './visit.ts';

const settings = JSON.stringify({ contact: 0, stiffness: 1e6, damping: 1e3, starts: [] });

test('a start above lifts off, one below is pressed without bound', async ({ visit }) => {
  await visit.open({ scene: 'rod-three-solutions', view: 'fast', fast: settings });
  const plot = visit.find('fast-plot').locator('svg');
  await plot.waitFor();
  const fate = () => visit.find('fast-fate').getAttribute('data-fate');
  const high = await visit.pointIn(plot, 0.8, 0.2);
  await visit.page.mouse.click(high.x, high.y);
  await expect.poll(fate).toBe('contact breaks');
  const low = await visit.pointIn(plot, 0.25, 0.75);
  await visit.page.mouse.click(low.x, low.y);
  await expect.poll(fate).toBe('force grows without bound');
});

test('starts are kept in the address, and can be cleared', async ({ visit }) => {
  await visit.open({ scene: 'rod-three-solutions', view: 'fast', fast: settings });
  const plot = visit.find('fast-plot').locator('svg');
  await plot.waitFor();
  const at = await visit.pointIn(plot, 0.7, 0.3);
  await visit.page.mouse.click(at.x, at.y);
  await visit.expectFragment('fast', /"starts":\[\[/);
  await visit.page.reload();
  await visit.expectText('fast-fate', /^from gap/);
  await visit.find('fast-clear').click();
  await visit.expectText('fast-fate', /^Click in the portrait/);
});

test('a contact whose p is positive comes to rest', async ({ visit }) => {
  await visit.open({ scene: 'rod', view: 'fast', fast: settings });
  const plot = visit.find('fast-plot').locator('svg');
  await plot.waitFor();
  await visit.find('fast-start').click();
  await expect.poll(() => visit.find('fast-fate').getAttribute('data-fate')).toBe('comes to rest');
});
