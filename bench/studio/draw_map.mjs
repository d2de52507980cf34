// A map of 300 x 300 verdicts, each time over other ranges, because the program keeps what it has computed.
import { summary } from './times.mjs';

function mapOf(repetition) {
  const shift = 1e-3 * (repetition + 1);
  return {
    x: { path: 'state.theta', from: 0.1 + shift, to: 1.5 + shift, count: 300 },
    y: { path: 'contact.tip.mu', from: 0.1 + shift, to: 2.5 + shift, count: 300 },
    of: 'verdict',
  };
}

// In the page: from the click to the frames that follow the first and the last picture.
function watch() {
  const shown = () => document.querySelector('[data-testid="map-canvas"]')?.dataset ?? {};
  return new Promise((resolve) => {
    let start = NaN;
    let first = NaN;
    addEventListener('click', (event) => (start = event.timeStamp), { capture: true, once: true });
    const look = () => {
      const { stage, final } = shown();
      const now = performance.now();
      if (Number.isNaN(first) && Number(stage) > 0) first = now;
      if (final === 'true') resolve({ first: first - start, complete: now - start });
      else frame();
    };
    // Seen in a frame, it is on the screen when the next task runs.
    const frame = () =>
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = look;
        channel.port2.postMessage(null);
      });
    frame();
  });
}

export async function drawMap(page, url, repetitions) {
  const times = [];
  for (let repetition = 0; repetition < repetitions; ++repetition) {
    await page.goto('about:blank');
    await page.goto(`${url}&scene=rod&map=${encodeURIComponent(JSON.stringify(mapOf(repetition)))}`);
    await page.waitForSelector('[data-testid="verdict"][data-verdict="unique"]');
    const watching = page.evaluate(watch);
    await page.getByTestId('tab-map').click();
    times.push(await watching);
  }
  return { first: summary(times.map((time) => time.first)), complete: summary(times.map((time) => time.complete)) };
}
