// Where the energy of the played branch went, and how the branch ended.
import { format } from '../format';
import type { SimulateResult } from '../types';
import { ancestry, endingWords, ledgerOf, reportOf } from './tracks';

function Entry(props: { sign: string; name: string; value: number; title: string }) {
  return (
    <span class="entry" title={props.title}>
      <i>{props.sign}</i>
      <span class="name">{props.name}</span>
      <b data-testid={`play-energy-${props.name.replace(/ .*/, '')}`}>{format(props.value)}</b>
    </span>
  );
}

// What stopped each part of the way, a mere branching apart, and the end.
function endings(result: SimulateResult, track: number): string {
  const parts = ancestry(result.tracks, track).filter((index) => index === track || result.tracks[index]!.stopped !== 'branched');
  return parts
    .map((index) => {
      const reasons = [result.tracks[index]!.stop_reason, index === track ? outcomeReason(result, track) : ''].filter(Boolean);
      return `${endingWords(result.tracks, index)}${reasons.length > 0 ? `: ${reasons.join('; ')}` : ''}.`;
    })
    .join(' Then it ');
}

function outcomeReason(result: SimulateResult, track: number): string {
  const reason = reportOf(result, track)?.['outcome_reason'];
  return typeof reason === 'string' ? reason : '';
}

export function LedgerPanel(props: { result: SimulateResult; track: number }) {
  const { result, track } = props;
  const ledger = ledgerOf(result, track);
  const bodies = result.tracks.some((one) => one.frames.length > 0);  // a body that is let go may have 0 J all the way
  return (
    <div class="ledger">
      {!ledger || !bodies ? (
        <span class="hint">No energies: these are numbers without bodies.</span>
      ) : (
        <div class="entries">
          <span class="name">energy [J]</span>
          <Entry sign="" name="initial" value={ledger.initial} title="kinetic and potential, at the start" />
          <Entry sign="−" name="friction" value={ledger.friction} title="taken by friction" />
          <Entry sign="−" name="impact" value={ledger.impact} title="taken by impacts and by dashpots" />
          <Entry sign="+" name="applied" value={ledger.applied} title="put in by applied forces and moving surfaces" />
          <Entry sign="+" name="defect" value={ledger.defect} title="what the numbers lost or gained; 0 in exact arithmetic" />
          <Entry sign="=" name="final" value={ledger.final} title="at the end of this branch" />
          {ledger.parts > 1 && <span class="hint">summed over the {ledger.parts} parts of this branch</span>}
        </div>
      )}
      <p data-testid="play-ending">
        <b>{result.report.method}</b>: {endings(result, track)}
      </p>
    </div>
  );
}
