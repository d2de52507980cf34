// How immediate the page is, measured in the browser: scripts/web bench.
//
// Drag: the rod is dragged through the paradox by real mouse events. Each counts from the time stamp that the browser
// gave the event to the moment when the frame that shows the analysis of that very state has been painted. Two rhythms:
// one move after the other's paint, and sixty moves a second without waiting. Two clocks: frames as fast as they come,
// which is what the page itself takes, and frames at the 60 Hz of a common screen, where an event also waits for the
// next frame, up to 16.7 ms, whatever the page does.
// Map: 300 x 300 cells, from the click on its tab to the first picture and to the last.
import { cpus } from 'node:os';
import { startChromium } from '../../apps/studio/web/browser/chromium.ts';
import { Studio } from '../../apps/studio/web/browser/program.ts';
import { dragRod } from './drag_rod.mjs';
import { drawMap } from './draw_map.mjs';
import { summary } from './times.mjs';

const bounds = { drag_p95_ms: 16, map_first_ms: 300, map_complete_ms: 2000 };
const unlimited = ['--disable-frame-rate-limit', '--disable-gpu-vsync'];

async function withPage(studio, args, work) {
  const browser = await startChromium(args);
  try {
    const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
    return await work(page, browser.version());
  } finally {
    await browser.close();
  }
}

async function measure(studio) {
  const result = { cpu: cpus()[0].model, cores: cpus().length, drag: [], map: null, bounds };
  for (const [frames, args] of [['unlimited', unlimited], ['60 Hz', []]]) {
    for (const rhythm of ['one by one', '60 a second']) {
      await withPage(studio, args, async (page, version) => {
        result.browser = `chromium ${version}, headless, WebGL in software`;
        const { times, verdicts } = await dragRod(page, studio.url, rhythm);
        result.drag.push({ frames, rhythm, ...summary(times), verdicts });
      });
    }
  }
  result.map = await withPage(studio, [], (page) => drawMap(page, studio.url, 5));
  return result;
}

function judge(result) {
  const own = result.drag.filter((run) => run.frames === 'unlimited');
  return {
    drag: own.every((run) => run.p95 < bounds.drag_p95_ms),
    map_first: result.map.first.p50 < bounds.map_first_ms,
    map_complete: result.map.complete.p50 < bounds.map_complete_ms,
  };
}

function print(result) {
  const ms = (time) => time.toFixed(1).padStart(8);
  console.log(`${result.cpu}, ${result.cores} cores; ${result.browser}`);
  console.log('\ninput to paint [ms]                     moves     p50     p95     max   verdicts passed');
  for (const run of result.drag) {
    const name = `  frames ${run.frames}, moves ${run.rhythm}`.padEnd(38);
    console.log(`${name}${String(run.count).padStart(7)}${ms(run.p50)}${ms(run.p95)}${ms(run.max)}   ${run.verdicts.join(', ')}`);
  }
  console.log('\nmap of 300 x 300 [ms]                             p50             max');
  for (const name of ['first', 'complete']) {
    console.log(`  ${name.padEnd(42)}${ms(result.map[name].p50)}        ${ms(result.map[name].max)}`);
  }
  console.log(`\nbounds: p95 ${bounds.drag_p95_ms} ms with unlimited frames; map ${bounds.map_first_ms} ms, ${bounds.map_complete_ms} ms (p50)`);
  for (const [name, met] of Object.entries(result.met)) console.log(`  ${name}: ${met ? 'met' : 'NOT MET'}`);
}

const studio = await Studio.start('rod');
let result;
try {
  result = await measure(studio);
} finally {
  await studio.stop();
}
result.met = judge(result);
if (process.argv.includes('--json')) console.log(JSON.stringify(result, null, 1));
else print(result);
process.exitCode = Object.values(result.met).every(Boolean) ? 0 : 1;
