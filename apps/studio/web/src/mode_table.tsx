// Every mode with its forces, or the reason why it is none.
import { format, modeText } from './format';
import { update, useStorePart } from './store';
import type { Analysis, Mode } from './types';
import { drawnOnChange } from './ui';

export function chosenMode(analysis: Analysis | null, name: string): Mode | null {
  if (!analysis) return null;
  const named = analysis.modes.find((mode) => mode.name === name && mode.lambda_n !== null);
  return named ?? analysis.modes.find((mode) => mode.consistent) ?? null;
}

// Forces of a mode stacked over all contacts, tangents first: modes list closed contacts only.
export function stackedForces(analysis: Analysis, mode: Mode | null): number[] {
  const rows = analysis.dimension;
  const stacked = new Array<number>(rows * analysis.contacts.length).fill(0);
  if (!mode?.lambda_n || !mode.lambda_t) return stacked;
  let next = 0;
  analysis.contacts.forEach((contact, index) => {
    if (!contact.closed || next >= mode.lambda_n!.length) return;
    mode.lambda_t![next]!.forEach((value, row) => (stacked[index * rows + row] = value));
    stacked[index * rows + rows - 1] = mode.lambda_n![next]!;
    ++next;
  });
  return stacked;
}

// The program writes plain text; symbols as everywhere on the page.
function withSymbols(reason: string): string {
  return reason
    .replace(/lambda_n/g, 'λₙ').replace(/lambda_t/g, 'λₜ').replace(/\ba_n\b/g, 'aₙ').replace(/\ba_t\b/g, 'aₜ')
    .replace(/\^2/g, '²').replace(/-(?=[0-9])/g, '−');
}

function judgement(mode: Mode): string {
  if (!mode.consistent) return withSymbols(mode.reason);
  const edge = mode.boundary ? ', on its boundary' : '';
  const limits: Record<string, string> = {
    stable: '; stable in the stiff limit',
    unstable: '; unstable in the stiff limit',
    depends: '; stable or not in the stiff limit, as stiffness and damping are',
  };
  const family = Number(mode['force_family_dimension'] ?? 0);
  const one = family > 0 ? `; one of a ${family}-parameter family of forces: they are not determined` : '';
  return `consistent${edge}${limits[mode.stability ?? ''] ?? ''}${one}`;
}

// Rounding far below the largest force of the mode is none.
const rounding = 1e-12;

function forceColumns(mode: Mode): [string, string] {
  const rows = mode.lambda_t ?? [];
  const largest = Math.max(0, ...[...(mode.lambda_n ?? []), ...rows.flat()].map(Math.abs));
  const shown = (value: number) => format(Math.abs(value) > rounding * largest ? value : 0, 4);
  const normal = mode.lambda_n?.map(shown).join(', ') ?? '–';
  const vector = (row: number[]) => (row.length > 1 ? `(${row.map(shown).join(', ')})` : row.map(shown).join());
  const tangential = rows.some((row) => row.length > 0) ? rows.map(vector).join(', ') : '–';
  return [normal, tangential];
}

interface ModeWords {
  name: string;
  consistent: boolean;
  reason: string;
  chosen: boolean;
  normal: string;
  tangential: string;
  words: string;
}

const ModeRow = drawnOnChange((props: ModeWords) => {
  const { name, consistent, chosen } = props;
  const choose = () => update({ mode: name });
  return (
    <tr
      class={`${consistent ? 'yes' : 'no'} ${chosen ? 'chosen' : ''}`}
      data-testid={`mode-${name}`}
      data-consistent={consistent}
      data-reason={props.reason}
      aria-current={chosen}
      title="show the forces of this mode"
      tabIndex={0}
      onClick={choose}
      onKeyDown={(event) => event.key === 'Enter' && choose()}
    >
      <th scope="row"><span aria-hidden="true">{consistent ? '✓' : '✗'}</span> {modeText(name)}</th>
      <td>{props.normal}</td>
      <td>{props.tangential}</td>
      <td class="reason">{props.words}</td>
    </tr>
  );
});

function modeRow(mode: Mode, chosen: boolean, key: number) {
  const { name, consistent, reason } = mode;
  const [normal, tangential] = forceColumns(mode);
  const words = judgement(mode);
  return <ModeRow key={key} {...{ name, consistent, reason, chosen, normal, tangential, words }} />;
}

function ImpactRow(props: { iwc: Analysis['iwc'][number] }) {
  const { iwc } = props;
  return (
    <tr class="yes" data-testid={`iwc-${iwc.name}`}>
      <th scope="row"><span aria-hidden="true">✓</span> {modeText(iwc.name)}</th>
      <td>∞</td>
      <td>∞</td>
      <td class="reason">{iwc.possible ? 'impact without collision' : `impact without collision is not excluded: ${withSymbols(iwc.reason)}`}</td>
    </tr>
  );
}

const shortList = 5;

// In a long list the consistent modes come first, to be seen without scrolling; in a short one nothing changes places
// while something is dragged.
function inOrder(modes: Mode[]): Mode[] {
  return modes.length <= shortList ? modes : [...modes.filter((mode) => mode.consistent), ...modes.filter((mode) => !mode.consistent)];
}

export function ModeTable(props: { analysis: Analysis }) {
  const { analysis } = props;
  const chosen = chosenMode(analysis, useStorePart((state) => state.mode));
  if (analysis.modes.length === 0) {
    return <p class="hint" data-testid="mode-table">No modes: a contact approaches, and an impact comes first.</p>;
  }
  const impacts = analysis.iwc.filter((iwc) => iwc.possible ?? iwc.necessary).map((iwc) => <ImpactRow key={`iwc-${iwc.name}`} iwc={iwc} />);
  const long = analysis.modes.length > shortList;
  return (
    <table class="modes" data-testid="mode-table">
      <thead>
        <tr><th>mode</th><th title="normal forces">λₙ [N]</th><th title="tangential forces">λₜ [N]</th><th>verdict on it</th></tr>
      </thead>
      <tbody>
        {long && impacts}
        {inOrder(analysis.modes).map((mode, index) => modeRow(mode, mode === chosen, index))}
        {!long && impacts}
      </tbody>
    </table>
  );
}
