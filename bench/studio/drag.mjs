// How immediate the page is, measured in the browser: scripts/web bench.
//
// Drag: the rod is dragged through the paradox by real mouse events, one move after the other's paint, or sixty a second
// without waiting. Each move counts from the time stamp that the browser gave it to the moment when the frame that shows
// the analysis of that very state has been painted, in a browser that begins a frame every sixtieth of a second, and in
// one that need not wait while it is busy. From idleness both begin the next frame up to 16.7 ms later, whatever the page
// does. Therefore three numbers:
//   seen          with that wait
//   own           without it: the question, the answer, the drawing, the painting. This is what the bound is for
//   empty page    seen, of a page that only writes a number: what the browser takes for nothing
// Map: 300 x 300 cells, from the click on its tab to the first picture and to the last.
import { cpus } from 'node:os';
import { startChromium } from '../../apps/studio/web/browser/chromium.ts';
import { Studio } from '../../apps/studio/web/browser/program.ts';
import { dragRod } from './drag_rod.mjs';
import { drawMap } from './draw_map.mjs';
import { moveOverEmptyPage } from './empty_page.mjs';
import { summary } from './times.mjs';

const frames = { 'unlimited frames': ['--disable-frame-rate-limit', '--disable-gpu-vsync'], '60 Hz': [] };
const bounds = { drag_own_p95_ms: 16, map_first_ms: 300, map_complete_ms: 2000 };

async function withPage(args, work) {
  const browser = await startChromium(args);
  try {
    const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
    return await work(page, browser.version());
  } finally {
    await browser.close();
  }
}

async function measure(studio) {
  const result = { cpu: cpus()[0].model, cores: cpus().length, drag: [], empty: null, map: null, bounds };
  const cases = Object.keys(frames).flatMap((rate) => ['one by one', '60 a second'].map((rhythm) => [rate, rhythm]));
  for (const [rate, rhythm] of cases) {
    await withPage(frames[rate], async (page, version) => {
      result.browser = `chromium ${version}, headless, WebGL in software`;
      const { times, verdicts } = await dragRod(page, studio.url, rhythm);
      const [seen, own] = ['seen', 'own'].map((which) => summary(times.map((time) => time[which])));
      result.drag.push({ frames: rate, rhythm, seen, own, verdicts });
    });
  }
  result.empty = summary(await withPage([], moveOverEmptyPage));
  result.map = await withPage([], (page) => drawMap(page, studio.url, 5));
  return result;
}

function judge(result) {
  return {
    drag: result.drag.every((run) => run.own.p95 < bounds.drag_own_p95_ms),
    map_first: result.map.first.p50 < bounds.map_first_ms,
    map_complete: result.map.complete.p50 < bounds.map_complete_ms,
  };
}

function print(result) {
  const ms = (time) => time.toFixed(1).padStart(8);
  const line = (name, one, more = '') =>
    console.log(`  ${name.padEnd(46)}${String(one.count).padStart(7)}${ms(one.p50)}${ms(one.p95)}${ms(one.max)}   ${more}`);
  console.log(`${result.cpu}, ${result.cores} cores; ${result.browser}`);
  console.log('\ninput to paint [ms]                               moves     p50     p95     max   verdicts passed');
  for (const run of result.drag) {
    line(`${run.frames}, moves ${run.rhythm}, own`, run.own, run.verdicts.join(', '));
    line(`${run.frames}, moves ${run.rhythm}, seen`, run.seen);
  }
  line('60 Hz, moves one by one, empty page', result.empty);
  console.log('\nmap of 300 x 300 [ms]                             p50             max');
  for (const name of ['first', 'complete']) {
    console.log(`  ${name.padEnd(42)}${ms(result.map[name].p50)}        ${ms(result.map[name].max)}`);
  }
  console.log(`\nbounds: p95 ${bounds.drag_own_p95_ms} ms own; map ${bounds.map_first_ms} ms, ${bounds.map_complete_ms} ms (p50)`);
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
