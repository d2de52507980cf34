// Pictures of every screen, light and dark, to be looked at: scripts/web screenshots.
import { expect, newVisit, test, type Visit } from './visit.ts';

interface Screen {
  name: string;
  fragment: Record<string, string>;
  ready: (visit: Visit) => Promise<void>;
}

const drawn = (testid: string) => async (visit: Visit) => visit.find(testid).first().waitFor();
const finished = async (visit: Visit) => {
  await expect.poll(() => visit.find('map-canvas').getAttribute('data-final')).toBe('true');
};

const screens: Screen[] = [
  { name: 'scene', fragment: { scene: 'rod', 'contact.tip.mu': '1.5' }, ready: drawn('mechanism') },
  { name: 'scene in space', fragment: { scene: 'rod-3d-crossing' }, ready: drawn('mechanism') },
  { name: 'solutions', fragment: { scene: 'rod-three-solutions', view: 'solutions' }, ready: drawn('solution-1') },
  { name: 'map', fragment: { scene: 'rod-no-solution', view: 'map' }, ready: finished },
  { name: 'play', fragment: { scene: 'chalk-dots', view: 'play', play: '{"method":"event","t_end":0.06}' }, ready: drawn('play-track-1') },
  { name: 'fast', fragment: { scene: 'rod-three-solutions', view: 'fast', fast: '{"stiffness":1e6,"damping":1e3,"starts":[[0,0.002],[-1e-5,-0.004]]}' }, ready: drawn('fast-plot') },
  { name: 'limit', fragment: { scene: 'rod-no-solution', view: 'limit', limit: '{"from":1e4,"to":1e7,"count":4,"t_end":0.1}' }, ready: async (visit) => {
    await visit.find('limit-run').click();
    await expect.poll(() => visit.find('limit-verdict').count(), { timeout: 50_000 }).toBe(1);
  } },
  { name: 'tour', fragment: { scene: 'rod-no-solution', story: '1' }, ready: drawn('story-panel') },
];

for (const theme of ['light', 'dark'] as const) {
  for (const screen of screens) {
    test(`${screen.name} ${theme}`, async ({ browser, studio }) => {
      const visit = await newVisit(browser, studio, theme);
      await visit.open(screen.fragment);
      await screen.ready(visit);
      await visit.page.waitForTimeout(1600);  // ways that are drawn as if by hand
      await visit.picture(`${screen.name} ${theme}`);
      await visit.page.context().close();
    });
  }
}
