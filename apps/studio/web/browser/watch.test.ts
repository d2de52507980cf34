// The watch itself: whatever a page must not do is a complaint, else the other tests would pass over it.
import { expect, newVisit, test, type Visit } from './visit.ts';

// Of one offence there may be several complaints, one after the other.
async function expectComplaint(visit: Visit, offence: () => void, complaint: RegExp): Promise<void> {
  await visit.page.goto(visit.studio.url);
  await visit.decided();
  expect(visit.complaints).toEqual([]);
  await visit.page.evaluate(offence);
  await expect.poll(() => visit.complaints.join()).toMatch(complaint);
  await visit.page.context().close();
}

test('hears the console', async ({ browser, studio }) => {
  const offence = () => console.warn('something is odd');
  await expectComplaint(await newVisit(browser, studio), offence, /console warning: something is odd/);
});

test('sees what is thrown', async ({ browser, studio }) => {
  const offence = () => void setTimeout(() => {
    throw new Error('broken');
  });
  await expectComplaint(await newVisit(browser, studio), offence, /thrown: broken/);
});

test('sees scripts that the page writes into itself refused', async ({ browser, studio }) => {
  const offence = () => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "in"';
    document.head.append(script);
  };
  await expectComplaint(await newVisit(browser, studio), offence, /content security policy: script-src/);
});

test('sees requests to foreign places refused', async ({ browser, studio }) => {
  const offence = () => void fetch('http://127.0.0.2:9/').catch(() => undefined);
  await expectComplaint(await newVisit(browser, studio), offence, /content security policy: connect-src refuses http:\/\/127\.0\.0\.2/);
});

test('sees a visit to a foreign place', async ({ browser, studio }) => {
  const visit = await newVisit(browser, studio);
  await visit.page.goto(studio.url);
  await visit.page.goto('http://127.0.0.2:9/').catch(() => undefined);
  expect(visit.complaints).toContain('request to http://127.0.0.2:9/');
  await visit.page.context().close();
});
