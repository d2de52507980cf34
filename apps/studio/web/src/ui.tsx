// Small parts that every view uses.
import { Component, type ComponentChildren, type RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { format, formatWithin, parseShown, shownUnit } from './format';
import type { JobState } from './types';

export function Panel(props: { title?: string; children: ComponentChildren; class?: string; testid?: string }) {
  return (
    <section class={`panel ${props.class ?? ''}`} data-testid={props.testid}>
      {props.title && <h2>{props.title}</h2>}
      {props.children}
    </section>
  );
}

// A part that is drawn again only when one of its properties has changed: a drag changes a few of many. (Elements that
// useMemo keeps are compared all the same: preact passes over components only.)
export function drawnOnChange<P extends object>(part: (props: P) => ComponentChildren) {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return (Object.keys(next) as (keyof P)[]).some((name) => !Object.is(next[name], this.props[name]));
    }
    override render() {
      return part(this.props);
    }
  };
}

// A number that can be typed, in the unit that is shown; takes effect on Enter and when left, Escape takes it back.
export function NumberField(props: {
  value: number;
  unit: string;
  label: string;
  testid?: string;
  unset?: boolean;  // there is no value: the field is empty
  room?: number;    // [px] for the number and its unit, in the letters of the variables
  onChange: (value: number) => void;
}) {
  const shown = shownUnit(props.unit);
  const letters = Math.floor(((props.room ?? 104) - 5.6 * shown.unit.length) / 7.6);
  const text = props.unset ? '' : formatWithin(props.value * shown.factor, letters).replaceAll('−', '-');
  const [typed, setTyped] = useState<string | null>(null);
  const bad = typed !== null && parseShown(typed, props.unit) === null;
  const finish = () => {
    const value = typed === null ? null : parseShown(typed, props.unit);
    if (value !== null && typed !== text) props.onChange(value);
    setTyped(null);
  };
  return (
    <span class={bad ? 'number bad' : 'number'}>
      <input
        type="text"
        inputMode="decimal"
        value={typed ?? text}
        placeholder={props.unset ? 'none' : ''}
        aria-label={`${props.label}${shown.unit ? ` in ${shown.unit}` : ''}`}
        aria-invalid={bad}
        data-testid={props.testid}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={finish}
        onKeyDown={(event) => {
          if (event.key === 'Enter') finish();
          if (event.key === 'Escape') setTyped(null);
        }}
      />
      <span class="unit">{shown.unit}</span>
    </span>
  );
}

export function Select<T extends string>(props: {
  value: T;
  options: { value: T; text: string; group?: string }[];
  label: string;
  testid?: string;
  onChange: (value: T) => void;
}) {
  const groups = [...new Set(props.options.map((option) => option.group ?? ''))];
  const one = (option: { value: T; text: string }) => (
    <option key={option.value} value={option.value} selected={option.value === props.value}>
      {option.text}
    </option>
  );
  return (
    <select
      aria-label={props.label}
      data-testid={props.testid}
      value={props.value}
      title={props.options.find((option) => option.value === props.value)?.text}
      onChange={(event) => props.onChange(event.currentTarget.value as T)}
    >
      {groups.map((group) => {
        const inside = props.options.filter((option) => (option.group ?? '') === group).map(one);
        return group ? <optgroup key={group} label={group}>{inside}</optgroup> : inside;
      })}
    </select>
  );
}

// How a job gets on: a bar, the time left, a button that stops it; or the sentence why it failed.
export function JobBar(props: { job: JobState | null; error: string; cancel: () => void; testid?: string }) {
  const job = props.job;
  if (props.error) return <p class="error" role="alert" data-testid={props.testid}>{props.error}</p>;
  if (!job || job.state === 'done') return null;
  if (job.state === 'cancelled') return <p class="hint" data-testid={props.testid}>stopped</p>;
  const left = job.remaining_s === null ? '' : ` · ${format(job.remaining_s, 2)} s left`;
  return (
    <div class="job" role="status" data-testid={props.testid}>
      <progress value={job.progress} max={1} />
      <span>{job.state === 'waiting' ? 'waiting' : `${Math.round(100 * job.progress)} %${left}`}</span>
      <button type="button" data-testid="job-cancel" onClick={props.cancel}>Stop</button>
    </div>
  );
}

// The size of an element in CSS pixels, followed while it changes.
export function useSize(): [(element: HTMLElement | null) => void, { width: number; height: number }] {
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [element, setElement] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (!element) return;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return [setElement, size];
}

// An element that keeps the height it once had, as long as its width stays: what comes and goes in it while something
// is dragged moves nothing beside it, and no picture has to be made in another size.
export function useKeptRoom<E extends HTMLElement>(): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    const kept = element.current!;
    let [width, height] = [0, 0];
    let again = 0;
    const keep = (needed: number) => {
      height = needed;
      kept.style.minHeight = `${height}px`;
    };
    const observer = new ResizeObserver(([entry]) => {
      const { inlineSize, blockSize } = entry!.borderBoxSize[0]!;
      if (inlineSize !== width && width > 0) {
        cancelAnimationFrame(again);
        again = requestAnimationFrame(() => {  // an observer must not change what it observes
          kept.style.minHeight = '';
          keep(kept.getBoundingClientRect().height);
        });
      } else if (blockSize > height) {
        keep(blockSize);
      }
      width = inlineSize;
    });
    observer.observe(kept);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(again);
    };
  }, []);
  return element;
}

// A file for the user from bytes of this page.
export function download(name: string, content: Blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
