// The keys, and what the words mean.
import { useEffect, useRef } from 'preact/hooks';

const keys: [string, string][] = [
  ['1 … 6', 'scene, solutions, map, play, fast dynamics, limit'],
  ['t', 'the tour'],
  ['← →', 'the step of the tour before, after; or the slider that has the focus'],
  ['← → ↑ ↓', 'on the map: the state by one cell'],
  ['space', 'play and pause'],
  ['Page Up, Page Down', 'the event before, after'],
  ['d', 'dark or light'],
  ['?', 'this list'],
  ['Esc', 'closes what is open'],
];

export function HelpDialog(props: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="help" data-testid="help-dialog" onClose={props.close} aria-label="keys">
      <h2>Keys</h2>
      <dl>{keys.map(([key, meaning]) => [<dt key={key}><kbd>{key}</kbd></dt>, <dd key={`${key}-`}>{meaning}</dd>])}</dl>
      <h2>Words</h2>
      <dl>
        <dt>F, T, S+, S−</dt><dd>a contact lifts off, sticks, slips along +t or −t</dd>
        <dt>I</dt><dd>impact without collision</dd>
        <dt>unique, inconsistent, indeterminate</dt><dd>one, no, several motions obey the laws of contact</dd>
        <dt>jam</dt><dd>friction in the direction of slip presses the contact more than it can resist</dd>
      </dl>
      <p class="hint">Third-party software in this page: <a href="third-party-notices.txt" target="_blank" rel="noreferrer">notices</a>.</p>
      <form method="dialog"><button type="submit" data-testid="help-close">Close</button></form>
    </dialog>
  );
}
