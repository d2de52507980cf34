// The rod swung through the paradox with the mouse, and the time that each movement took to be seen.
import { gripOf } from '../../apps/studio/web/browser/grip.ts';

const moves = 400;
const period = 80;         // moves for one swing
const lean = Math.PI / 3;  // of the rod at the start
const swing = 0.35;        // [rad] to both sides of it
const spacing = 1000 / 60;  // [ms]
const rest = 3000;  // [ms] before the first move: a browser goes on loading pages of its own after it has started

// In the page: every movement with its time stamp, those that the browser merged included, and every verdict shown.
function record() {
  const badge = () => document.querySelector('[data-testid="verdict"]').dataset.verdict;
  const seen = { moves: [], verdicts: new Set([badge()]) };
  window.seen = seen;
  addEventListener(
    'onpointerrawupdate' in window ? 'pointerrawupdate' : 'pointermove',  // what the page listens to
    (event) => {
      const handled = performance.now();
      const merged = event.getCoalescedEvents();
      for (const one of merged.length > 0 ? merged : [event]) seen.moves.push({ stamp: one.timeStamp, handled });
    },
    { capture: true },
  );
  new MutationObserver(() => seen.verdicts.add(badge())).observe(document.body, { attributes: true, subtree: true, attributeFilter: ['data-verdict'] });
}

// In the page: resolves when the last movement has been painted.
function painted() {
  const newest = () => window.painleve.latencies.at(-1)?.input ?? -Infinity;
  return new Promise((resolve) => {
    const look = () => (newest() >= (window.seen.moves.at(-1)?.handled ?? 0) ? resolve() : setTimeout(look, 1));
    look();
  });
}

// In the page: a movement is seen with the first answer to it or to a later one, for the program is asked one question
// at a time, the newest next. Each answer knows when the movement that it answers was handled. `own`: without the wait
// of the finished answer for the browser's next frame.
function timesOf() {
  const answers = window.painleve.latencies;
  return window.seen.moves.flatMap(({ stamp, handled }) => {
    const answer = answers.find((one) => one.input >= handled);
    return answer ? [{ seen: answer.painted - stamp, own: answer.drawn - stamp + (answer.painted - answer.frame) }] : [];
  });
}

// The gripped point on its way about the foot of the rod.
function placeAt(grip, move) {
  const length = (grip.floor - grip.y) / Math.sin(lean);
  const angle = lean + swing * Math.sin((2 * Math.PI * move) / period);
  return [grip.x + length * (Math.cos(lean) - Math.cos(angle)), grip.floor - length * Math.sin(angle)];
}

// Pauses of 0 to 17 ms in no rhythm, so that movements meet frames at any time: multiples of the golden section.
export const pause = (move) => new Promise((resolve) => setTimeout(resolve, 17 * ((move * 0.6180339887) % 1)));

async function oneByOne(page, place) {
  const shown = () => page.getByTestId('contact-numbers').innerText();
  let changes = 0;
  let before = await shown();
  for (let move = 0; move < moves; ++move) {
    await place(move);
    await page.evaluate(painted);
    const now = await shown();
    changes += now === before ? 0 : 1;
    before = now;
    await pause(move);
  }
  if (changes < 0.9 * moves) throw new Error(`of ${moves} movements only ${changes} changed the numbers on the screen`);
}

async function sixtyPerSecond(page, place) {
  const start = performance.now();
  const sent = [];
  for (let move = 0; move < moves; ++move) {
    const wait = start + move * spacing - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    sent.push(place(move));
  }
  await Promise.all(sent);
  await page.evaluate(painted);
}

export async function dragRod(page, url, rhythm) {
  await page.goto(`${url}&scene=rod&contact.tip.mu=1.5`);
  const grip = await gripOf(page);
  await new Promise((resolve) => setTimeout(resolve, rest));
  await page.mouse.move(grip.x, grip.y);
  await page.mouse.down();
  await page.evaluate(record);
  // Straight to the browser: with a button held, playwright's own mouse.move runs scripts in the page before and after.
  const browser = await page.context().newCDPSession(page);
  const place = (move) => {
    const [x, y] = placeAt(grip, move);
    return browser.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y, button: 'left', buttons: 1 });
  };
  await (rhythm === 'one by one' ? oneByOne : sixtyPerSecond)(page, place);
  await page.mouse.up();
  const verdicts = await page.evaluate(() => [...window.seen.verdicts]);
  for (const needed of ['unique', 'inconsistent']) {
    if (!verdicts.includes(needed)) throw new Error(`the rod was not dragged through the paradox: ${verdicts.join(', ')}`);
  }
  return { times: await page.evaluate(timesOf), verdicts };
}
