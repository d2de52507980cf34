// A page that does nothing but write how often the mouse has moved: what the browser itself takes from input to paint.
import { pause } from './drag_rod.mjs';

const moves = 300;

function follow() {
  window.times = [];
  addEventListener('pointermove', (event) => {
    document.body.textContent = String(window.times.length);
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => window.times.push(performance.now() - event.timeStamp);
      channel.port2.postMessage(null);
    });
  });
}

// In the page: resolves when this many moves have been painted.
function painted(count) {
  return new Promise((resolve) => {
    const look = () => (window.times.length >= count ? resolve() : setTimeout(look, 1));
    look();
  });
}

export async function moveOverEmptyPage(page) {
  await page.setContent('<body>0</body>');
  await page.evaluate(follow);
  for (let move = 0; move < moves; ++move) {
    await page.mouse.move(100 + (move % 50), 100);
    await page.evaluate(painted, move + 1);
    await pause(move);
  }
  return page.evaluate(() => window.times);
}
