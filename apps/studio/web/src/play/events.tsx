// Every event of the played branch in words; each can be gone to and zoomed into.
import { useEffect, useRef } from 'preact/hooks';
import { format, modeText } from '../format';
import { useSignal, type Clock } from './clock';
import { eventWords } from './flags';
import type { Branch } from './tracks';

const mostRows = 300;  // a list for reading; the time line has them all

// The last event up to t, −1: none yet.
function reached(branch: Branch, t: number): number {
  return branch.events.findLastIndex((event) => event.t <= t);
}

export function EventList(props: { branch: Branch; clock: Clock; zoom: number; setZoom: (index: number) => void }) {
  const { branch, clock } = props;
  const now = useSignal(clock.t, (t) => reached(branch, t));
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const box = list.current;
    const item = box?.children[now];
    if (!box || !(item instanceof HTMLElement)) return;
    if (item.offsetTop < box.scrollTop || item.offsetTop + item.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = item.offsetTop - box.clientHeight / 2;
  }, [now, branch]);
  return (
    <ul class="events" ref={list}>
      {branch.events.slice(0, mostRows).map((event, index) => (
        <li key={index} class={index === now ? 'now' : ''}>
          <button type="button" class="event" title={event.note} onMouseDown={(press) => press.preventDefault()} onClick={() => clock.seek(event.t)}>
            <span class="when">{format(event.t, 6)} s</span>
            <span>{[event.contact, eventWords[event.kind] ?? event.kind].filter(Boolean).join(': ')}</span>
            <span class="word">{modeText(event.mode)}</span>
          </button>
          <button
            type="button"
            data-testid={`play-zoom-${index}`}
            aria-pressed={props.zoom === index}
            aria-label={`logarithmic zoom into event ${index + 1}`}
            title="logarithmic zoom into this event"
            onMouseDown={(press) => press.preventDefault()}
            onClick={() => props.setZoom(props.zoom === index ? -1 : index)}
          >
            ⌕
          </button>
        </li>
      ))}
      {branch.events.length > mostRows && <li class="hint">and {branch.events.length - mostRows} more, all among the flags of the time line</li>}
    </ul>
  );
}
