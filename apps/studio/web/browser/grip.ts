// Where a body of the picture can be gripped: the uppermost place over which the page shows a hand. Asked with made-up
// pointer events, which are quick and move nothing; what follows is done with the mouse. Plain types only, as bench/
// uses it, too.
import type { Page } from 'playwright-core';

export interface Grip {
  x: number;
  y: number;
  floor: number;  // height of the first contact: pixels from the top of the window, as y
}

function search(): Grip | null {
  const picture = document.querySelector<HTMLElement>('[data-testid="mechanism"]');
  const canvas = picture?.querySelector('canvas');
  const tip = Number(picture?.dataset['tipY'] ?? NaN);
  if (!picture || !canvas || Number.isNaN(tip)) return null;
  const box = picture.getBoundingClientRect();
  const step = 6;
  for (let y = box.top + step; y < box.bottom; y += step) {
    for (let x = box.left + step; x < box.right; x += step) {
      canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: x, clientY: y, bubbles: true }));
      if (getComputedStyle(canvas).cursor === 'grab') return { x, y: y + step, floor: box.top + tip };
    }
  }
  return null;
}

export async function gripOf(page: Page): Promise<Grip> {
  await page.waitForSelector('[data-testid="mechanism"][data-ready="true"][data-tip-y]');
  const found = await page.evaluate(search);
  if (!found) throw new Error('nothing can be gripped in the picture');
  return found;
}
