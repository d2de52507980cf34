// Play: a run with its time line, events, zoom and futures.
import { commandLine } from './program.ts';
import { expect, test, type Visit } from './visit.ts';

const time = (visit: Visit) => visit.find('play-time').getAttribute('data-t').then(Number);

test('plays, pauses with the space bar, and stands where it was left after a reload', async ({ visit }) => {
  await visit.open({ scene: 'rod-falling', view: 'play' });
  await visit.find('play-button').waitFor();
  expect(await time(visit)).toBe(0);
  await visit.find('play-button').click();
  await expect.poll(() => time(visit)).toBeGreaterThan(0.1);
  await visit.page.keyboard.press(' ');
  await expect.poll(() => visit.find('play-button').getAttribute('aria-pressed')).toBe('false');
  const stopped = await time(visit);
  await visit.nextFrame();
  await visit.nextFrame();
  expect(await time(visit)).toBe(stopped);
  await expect.poll(() => (JSON.parse(visit.fragment().get('play') ?? '{}') as { t?: number }).t ?? 0).toBeCloseTo(stopped, 3);
  await visit.page.reload();
  await expect.poll(() => time(visit)).toBeCloseTo(stopped, 3);
});

test('flags on the time line are the events of the command line', async ({ visit }) => {
  const printed = commandLine('simulate', 'rod-falling', '--method', 'event', '--t-end', '1', '--policy', 'principle') as { events: { t: number }[] };
  const play = JSON.stringify({ method: 'event', policy: 'principle', t_end: 1 });
  await visit.open({ scene: 'rod-falling', view: 'play', play });
  await visit.find('play-event-0').click();
  expect(printed.events.length).toBeGreaterThan(0);
  await expect.poll(() => time(visit)).toBe(printed.events[0]!.t);
});

test('dragging the time line moves the time', async ({ visit }) => {
  await visit.open({ scene: 'rod-falling', view: 'play' });
  const line = visit.find('play-timeline');
  await line.waitFor();
  await visit.drag(await visit.pointIn(line, 0.05, 0.5), await visit.pointIn(line, 0.6, 0.5), 10);
  await expect.poll(() => time(visit)).toBeGreaterThan(0.3);
  await line.press('Home');
  await expect.poll(() => time(visit)).toBe(0);
});

test('the zoom about an event is left again', async ({ visit }) => {
  await visit.open({ scene: 'rod-jam', view: 'play', play: JSON.stringify({ method: 'event', t_end: 0.05 }) });
  await visit.find('play-zoom-0').click();
  await visit.expectText('play-time', /s [−+] /);
  await visit.find('play-zoom-out').click();
  await expect.poll(() => visit.find('play-time').textContent()).not.toMatch(/s [−+] /);
});

test('of several futures one is played and the others are ghosts', async ({ visit }) => {
  await visit.open({ scene: 'rod-three-solutions', view: 'play', play: JSON.stringify({ method: 'event', policy: 'all', t_end: 0.1 }) });
  await expect.poll(() => visit.find('play-track-1').count()).toBe(1);
  await expect.poll(() => visit.page.locator('[data-testid^="play-ghost-"]:checked').count()).toBeGreaterThan(0);
  await visit.find('play-track-2').click();
  await expect.poll(() => visit.find('play-track-2').getAttribute('aria-pressed')).toBe('true');
  expect(await visit.find('play-ghost-2').isDisabled()).toBe(true);
});

test('another method is another run, and the back button returns to the one before', async ({ visit }) => {
  await visit.open({ scene: 'rod-falling', view: 'play' });
  await visit.find('play-button').waitFor();
  await visit.find('play-method').selectOption('step');
  await visit.expectFragment('play', /"method":"step"/);
  await visit.find('play-dt').waitFor();
  await expect.poll(() => visit.find('view-play').getAttribute('data-stale')).toBe('false');
  await visit.page.goBack();
  await expect.poll(() => visit.find('play-method').inputValue()).toBe('');
});

test('a body that is let go has energies, though they add to nothing', async ({ visit }) => {
  await visit.open({ scene: 'wedge', view: 'play', play: JSON.stringify({ method: 'event', t_end: 0.3 }) });
  await visit.expectText('play-energy-initial', /^0$/);
  await visit.expectText('play-ending', /outcome FF/);
});
