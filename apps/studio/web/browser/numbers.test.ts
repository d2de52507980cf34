// The page shows the numbers of the command line: for every scene that ships, the answers are the same to the last bit,
// and for every mechanism of the gallery what stands on the screen is read off and compared.
import type { Analysis, Hello, SceneReport } from '../src/types.ts';
import { format, shownUnit } from '../src/format.ts';
import { commandLine } from './program.ts';
import { expect, test, type Visit } from './visit.ts';

function ask<T>(visit: Visit, name: string, body: object): Promise<T> {
  const question = { name, body, token: visit.studio.token };
  return visit.page.evaluate(async ({ name, body, token }) => {
    const headers = { 'Content-Type': 'application/json', 'X-Painleve-Token': token };
    const answer = await fetch(`api/${name}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return answer.json();
  }, question) as Promise<T>;
}

// What the command line adds to the analysis: which command printed it.
function withoutHead(printed: unknown): Record<string, unknown> {
  const { schema: _schema, command: _command, scene: _scene, ...rest } = printed as Record<string, unknown>;
  return rest;
}

interface Gallery {
  mechanisms: { name: string }[];
  scenarios: { name: string }[];
}
const needsNumbers = ['rigid-body', 'contact-space', 'drifting-contacts'];  // nothing to analyse before some are given

test('every scene is analysed as the command line analyses it', async ({ visit }) => {
  await visit.open();
  const hello = await ask<Hello>(visit, 'hello', {});
  const gallery = commandLine('gallery') as Gallery;
  const names = [...gallery.scenarios, ...gallery.mechanisms].map((scene) => scene.name).filter((name) => !needsNumbers.includes(name));
  expect(hello.scenes.map((scene) => scene.name).sort()).toEqual(names.sort());
  for (const scene of hello.scenes) {
    const reply = await ask<{ analysis: Record<string, unknown> }>(visit, 'analyze', { scene: { name: scene.name } });
    expect(withoutHead(reply.analysis), scene.name).toEqual(withoutHead(commandLine('analyze', scene.name)));
  }
});

// Numbers of a cell, "−1.703, 0", in space "(−1.703, 0)", or "–": none.
function numbersIn(text: string): number[] {
  return text === '–' ? [] : text.replace(/[()]/g, '').split(/[, ]+/).map((word) => Number(word.replaceAll('−', '-')));
}

// Four digits are shown; what is rounding next to the other forces of the mode may be shown as zero.
function expectShown(text: string, values: number[], largest: number, name: string) {
  const numbers = numbersIn(text);
  expect(numbers.length, name).toBe(values.length);
  values.forEach((value, index) => {
    const allowed = Math.max(0.51e-3 * Math.abs(value), 1e-12 * largest);
    expect(Math.abs(numbers[index]! - value), `${name}: ${text} for ${value}`).toBeLessThanOrEqual(allowed);
  });
}

async function expectModes(visit: Visit, analysis: Analysis) {
  for (const mode of analysis.modes) {
    const row = visit.find(`mode-${mode.name}`).first();
    expect(await row.getAttribute('data-consistent')).toBe(String(mode.consistent));
    expect(await row.getAttribute('data-reason')).toBe(mode.reason);
    const cells = await row.locator('td').allInnerTexts();
    const [normal, tangential] = [mode.lambda_n ?? [], (mode.lambda_t ?? []).flat()];
    const largest = Math.max(...[...normal, ...tangential].map(Math.abs));
    expectShown(cells[0]!, normal, largest, `${analysis.mechanism} ${mode.name} normal`);
    expectShown(cells[1]!, tangential, largest, `${analysis.mechanism} ${mode.name} tangential`);
  }
}

async function expectState(visit: Visit, analysis: Analysis, report: SceneReport) {
  for (const variable of report.variables) {
    const [group, name = ''] = variable.path.split('.');
    const value = name.endsWith('_dot') ? analysis.state.v[name.slice(0, -4)] : analysis.state.q[name];
    if (group !== 'state' || value === undefined) continue;
    const shown = shownUnit(variable.unit);
    const text = format(value * shown.factor, 6).replace('−', '-');
    expect(await visit.find(`number-${variable.path}`).inputValue(), variable.path).toBe(text);
  }
}

test('every mechanism of the gallery is shown with the numbers of the command line', async ({ visit }) => {
  await visit.open();
  const gallery = commandLine('gallery') as Gallery;
  for (const { name } of gallery.mechanisms.filter((mechanism) => !needsNumbers.includes(mechanism.name))) {
    const analysis = commandLine('analyze', name) as Analysis;
    await visit.find('scene-picker').selectOption(name);
    await visit.expectFragment('scene', new RegExp(`^${name}$`));
    await visit.expectVerdict(String(analysis.verdict));
    const report = await ask<SceneReport>(visit, 'scene', { scene: { name } });
    const last = report.variables.at(-1);
    if (last) await expect.poll(() => visit.find(`number-${last.path}`).count()).toBe(1);
    await expectState(visit, analysis, report);
    await expectModes(visit, analysis);
  }
});
