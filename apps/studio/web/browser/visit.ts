// A visit to the page, as a person makes it, under watch: `test` hands each test a fresh page of a running studio, and
// fails it where the console says anything, the page throws, the content security policy is broken or a request goes
// anywhere but to the program.
import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, ConsoleMessage, Locator, Page } from 'playwright-core';
import { expect, test as plain } from 'vitest';
import { startChromium } from './chromium.ts';
import { Studio } from './program.ts';

export interface Point {
  x: number;
  y: number;
}

// The driver's own remark about drawing in software, which is how tests have to draw; no page can prevent it.
const softwareRendering = /GL Driver Message .*GPU stall due to ReadPixels/;

const screenshots = fileURLToPath(new URL('./screenshots/', import.meta.url));

export class Visit {
  readonly complaints: string[] = [];

  constructor(readonly page: Page, readonly studio: Studio) {
    page.on('console', (message) => this.hear(message));
    page.on('pageerror', (error) => this.complaints.push(`thrown: ${error.message}`));
    page.on('request', (request) => {
      const url = new URL(request.url());
      const own = url.origin === studio.origin || url.protocol === 'data:' || url.protocol === 'blob:';
      if (!own) this.complaints.push(`request to ${request.url()}`);
    });
  }

  private hear(message: ConsoleMessage) {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (softwareRendering.test(message.text())) return;
    this.complaints.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
  }

  // The page with further members of its fragment: {view: 'map', 'state.theta': '1.2'}.
  async open(fragment: Record<string, string> = {}): Promise<void> {
    const more = Object.entries(fragment).map(([key, value]) => `&${encodeURIComponent(key)}=${encodeURIComponent(value)}`);
    await this.page.goto(this.studio.url + more.join(''));
    await this.decided();
  }

  find(testid: string): Locator {
    return this.page.getByTestId(testid);
  }

  // The word on the badge, once there is one.
  async decided(): Promise<string> {
    await expect.poll(() => this.verdict()).toMatch(/./);
    return this.verdict();
  }

  async verdict(): Promise<string> {
    return (await this.find('verdict').getAttribute('data-verdict')) ?? '';
  }

  async expectVerdict(word: string): Promise<void> {
    await expect.poll(() => this.verdict()).toBe(word);
  }

  async expectView(name: string): Promise<void> {
    await expect.poll(() => this.find(`view-${name}`).isVisible()).toBe(true);
  }

  async expectText(testid: string, text: string | RegExp): Promise<void> {
    await expect.poll(() => this.find(testid).first().textContent()).toMatch(text);
  }

  // What an entry of the menu of exports hands to the browser.
  async taken(testid: string): Promise<{ name: string; bytes: Buffer }> {
    await this.find('export').click();
    const coming = this.page.waitForEvent('download', { timeout: 50_000 });
    await this.find(testid).click();
    const download = await coming;
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  }

  // What the address says, once it has been written.
  fragment(): URLSearchParams {
    return new URLSearchParams(new URL(this.page.url()).hash.slice(1));
  }

  async expectFragment(key: string, value: string | RegExp): Promise<void> {
    await expect.poll(() => this.fragment().get(key) ?? '').toMatch(value);
  }

  // Types a number as a person does: click, all of it, the new one, Enter.
  async type(testid: string, text: string): Promise<void> {
    const field = this.find(testid);
    await field.click();
    await field.press('Control+a');
    await this.page.keyboard.type(text);
    await field.press('Enter');
  }

  // A point of an element, in parts of its width and height.
  async pointIn(element: Locator, across: number, down: number): Promise<Point> {
    const box = await element.boundingBox();
    if (!box) throw new Error('the element is not on the screen');
    return { x: box.x + across * box.width, y: box.y + down * box.height };
  }

  async drag(from: Point, to: Point, steps = 20): Promise<void> {
    await this.page.mouse.move(from.x, from.y);
    await this.page.mouse.down();
    await this.moveAlong((part) => ({ x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) }), steps);
    await this.page.mouse.up();
  }

  // The mouse along a way, given for parts from 0 to 1.
  async moveAlong(way: (part: number) => Point, steps = 20): Promise<void> {
    for (let step = 1; step <= steps; ++step) {
      const { x, y } = way(step / steps);
      await this.page.mouse.move(x, y);
      await this.nextFrame();
    }
  }

  async nextFrame(): Promise<void> {
    await this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }

  async picture(name: string): Promise<void> {
    mkdirSync(screenshots, { recursive: true });
    await this.page.screenshot({ path: `${screenshots}${name}.png` });
  }

  // A complaint that a test provokes on purpose.
  forgive(complaint: RegExp): void {
    const kept = this.complaints.filter((text) => !complaint.test(text));
    this.complaints.splice(0, this.complaints.length, ...kept);
  }
}

// Violations are errors on the console already; this one also catches those that a browser keeps to itself.
async function guard(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      console.error(`content security policy: ${event.violatedDirective} refuses ${event.blockedURI}`);
    });
  });
}

export async function newVisit(browser: Browser, studio: Studio, theme: 'light' | 'dark' = 'light'): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 }, colorScheme: theme, locale: 'en-GB' });
  await guard(context);
  return new Visit(await context.newPage(), studio);
}

interface FileFixtures {
  studio: Studio;
  browser: Browser;
}

// One program and one browser for a file of tests, a page of its own for each test.
export const test = plain.extend<FileFixtures & { visit: Visit }>({
  studio: [
    async ({}, use) => {
      const studio = await Studio.start();
      await use(studio);
      await studio.stop();
    },
    { scope: 'file' },
  ],
  browser: [
    async ({}, use) => {
      const browser = await startChromium();
      await use(browser);
      await browser.close();
    },
    { scope: 'file' },
  ],
  visit: async ({ studio, browser, task }, use) => {
    const visit = await newVisit(browser, studio);
    await use(visit);
    if (task.result?.state === 'fail' || visit.complaints.length > 0) {
      await visit.picture(`failed ${task.name.replace(/[^a-z0-9]+/gi, ' ')}`);
    }
    await visit.page.context().close();
    expect(visit.complaints).toEqual([]);
  },
});

export { expect };
