// The verdict in one badge: word, sign and colour say the same.
import { wordColour } from './colours';
import type { Analysis } from './types';

const signs: Record<string, string> = { unique: '✓', inconsistent: '∅', indeterminate: '⋎', impact: '⇊' };
const sentences: Record<string, string> = {
  unique: 'one motion',
  inconsistent: 'no motion obeys the laws',
  indeterminate: 'several motions obey the laws',
  impact: 'an impact comes first',
};

export function VerdictBadge(props: { analysis: Analysis | null; error: string }) {
  if (props.error) {
    return (
      <span class="badge wrong" role="alert" data-testid="verdict" data-verdict="error">
        <strong>✕ no such state</strong> <span class="sentence">{props.error}</span>
      </span>
    );
  }
  const verdict = props.analysis?.verdict ?? null;
  if (!props.analysis) return <span class="badge" data-testid="verdict" data-verdict="">…</span>;
  const word = verdict ?? 'not decided';
  const colour = verdict ? wordColour(verdict) : '#777777';
  const sentence = sentences[word] ?? String(props.analysis['verdict_reason'] ?? '');
  return (
    <span class="badge" style={{ backgroundColor: colour }} data-testid="verdict" data-verdict={verdict ?? 'null'} aria-live="polite" title={sentence}>
      <span aria-hidden="true">{signs[word] ?? '?'}</span> <strong>{word}</strong>
      <span class="why">{sentence}</span>
      {props.analysis.jam && <span class="jam" data-testid="jam">jam</span>}
    </span>
  );
}
