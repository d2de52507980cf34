// The tour: every step opens, with its formulas drawn, and can be left, taken back and walked by keys.
import { stories } from '../src/stories.ts';
import { expect, test } from './visit.ts';

test('walks through every step and back', async ({ visit }) => {
  await visit.open();
  await visit.find('tour').click();
  for (const [index, step] of stories.entries()) {
    await visit.expectText('story-title', step.title);
    await visit.expectFragment('story', new RegExp(`^${index}$`));
    await visit.expectFragment('scene', new RegExp(`^${step.scene.name}$`));
    await visit.expectView(step.settings.view ?? 'scene');
    await visit.decided();
    await expect.poll(() => visit.find('story-panel').locator('.katex').count()).toBeGreaterThanOrEqual(step.formulas.length);
    expect(await visit.find('story-panel').locator('.katex-error').count()).toBe(0);
    if (index + 1 < stories.length) await visit.find('story-next').click();
  }
  expect(await visit.find('story-next').isDisabled()).toBe(true);
  await visit.page.goBack();
  await visit.expectText('story-title', stories.at(-2)!.title);
  await visit.find('story-close').click();
  await expect.poll(() => visit.find('story-panel').count()).toBe(0);
});

test('formulas are set in the fonts that ship with the page', async ({ visit }) => {
  await visit.open({ story: '1' });
  await visit.find('story-panel').waitFor();
  const loaded = () => visit.page.evaluate(() => [...document.fonts].filter((font) => font.status === 'loaded').map((font) => font.family));
  await expect.poll(loaded).toContain('KaTeX_Main');
  await expect.poll(loaded).toContain('KaTeX_Math');
});

test('the story of no solution: less friction ends the paradox, and one click takes it back', async ({ visit }) => {
  await visit.open();
  await visit.find('tour').click();
  await visit.find('story-step-1').click();
  await visit.expectVerdict('inconsistent');
  await visit.type('number-contact.tip.mu', '1.3');
  await visit.expectVerdict('unique');
  await visit.find('story-restore').click();
  await visit.expectVerdict('inconsistent');
});

test('keys open it, walk it and close it', async ({ visit }) => {
  await visit.open();
  await visit.page.keyboard.press('t');
  await visit.expectText('story-title', stories[0]!.title);
  await visit.page.keyboard.press('ArrowRight');
  await visit.expectText('story-title', stories[1]!.title);
  await visit.page.keyboard.press('ArrowLeft');
  await visit.expectText('story-title', stories[0]!.title);
  await visit.page.keyboard.press('t');
  await expect.poll(() => visit.find('story-panel').count()).toBe(0);
});

test('a key pressed in the moment in which the step appears is heard', async ({ visit }) => {
  await visit.open();
  await visit.page.evaluate(() => {
    const press = (key: string) => window.dispatchEvent(new KeyboardEvent('keydown', { key }));
    const watch = new MutationObserver(() => {
      if (!document.querySelector('[data-testid=story-title]')) return;
      watch.disconnect();
      press('ArrowRight');
    });
    watch.observe(document.body, { childList: true, subtree: true });
    press('t');
  });
  await visit.expectText('story-title', stories[1]!.title);
});

// A projector of 1024 × 768: what a step is about stays in sight.
const projector = { width: 1024, height: 768 };

test('on a projector the time line stands above the story in every step that plays', async ({ visit }) => {
  await visit.page.setViewportSize(projector);
  await visit.open();
  await visit.find('tour').click();
  for (const [index, step] of stories.entries()) {
    if (step.settings.view !== 'play') continue;
    await visit.find(`story-step-${index}`).click();
    await visit.expectText('story-title', step.title);
    await visit.find('play-time').waitFor();
    const bottom = async (testid: string) => (await visit.find(testid).boundingBox().then((box) => box!.y + box!.height));
    const top = (await visit.find('story-panel').boundingBox())!.y;
    expect(await bottom('play-button'), step.title).toBeLessThanOrEqual(top + 1);
    expect(await bottom('play-time'), step.title).toBeLessThanOrEqual(top + 1);
  }
});

test('on a projector the numbers of the contact lie on nothing else', async ({ visit }) => {
  await visit.page.setViewportSize(projector);
  await visit.open({ scene: 'rod-no-solution', story: '1' });
  await visit.find('story-panel').waitFor();
  await visit.find('cone').waitFor();
  const numbers = (await visit.find('contact-numbers').boundingBox())!;
  const legend = (await visit.find('cone').locator('figcaption').boundingBox())!;
  expect(Math.min(numbers.y + numbers.height, legend.y + legend.height) - Math.max(numbers.y, legend.y)).toBeLessThanOrEqual(0);
  const top = (await visit.find('story-panel').boundingBox())!.y;
  expect(numbers.y + numbers.height).toBeLessThan(top);
});
