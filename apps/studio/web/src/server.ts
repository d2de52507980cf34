// Questions to the server, and the one stream on which it tells how its jobs get on.
import { useEffect, useRef, useState } from 'preact/hooks';
import { askOnLine } from './line';
import { token } from './store';
import type { JobResult, JobState } from './types';

export class ServerError extends Error {
  constructor(message: string, readonly status: number) {
    super(message);
  }
}

// {"error": "one sentence"} and nothing else.
function refusal(reply: unknown): string | null {
  if (typeof reply !== 'object' || reply === null || Object.keys(reply).length !== 1) return null;
  const error = (reply as { error?: unknown }).error;
  return typeof error === 'string' ? error : null;
}

function accepted<T>(reply: unknown, status: number): T {
  const sentence = refusal(reply);
  if (sentence !== null || status < 200 || status > 299) {
    throw new ServerError(sentence ?? `the program answered ${status}`, status);
  }
  return reply as T;
}

async function post<T>(name: string, body: string, signal?: AbortSignal): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(`api/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Painleve-Token': token },
      body,
      signal: signal ?? null,
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ServerError('The program does not answer; is `painleve studio` still running?', 0);
  }
  return accepted<T>(await answer.json().catch(() => null), answer.status);
}

export async function call<T>(name: string, body: object, signal?: AbortSignal): Promise<T> {
  return post<T>(name, JSON.stringify({ ...body, polite: true }), signal);
}

// The same for questions that follow the mouse and change nothing: by the line where there is one.
export async function callQuickly<T>(name: string, body: object): Promise<T> {
  const text = JSON.stringify({ ...body, polite: true });
  const answer = await askOnLine(name, text);
  return answer ? accepted<T>(JSON.parse(answer.body), answer.status) : post<T>(name, text);
}

// The stream of server-sent events, read by fetch because an EventSource cannot carry the token.
const watchers = new Map<string, Set<(job: JobState) => void>>();
let streaming = false;

function dispatch(block: string) {
  let event = '';
  let data = '';
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) event = line.slice(6).trim();
    else if (line.startsWith('data:')) data += line.slice(5).trim();
  }
  if (event !== 'job' || !data) return;
  const job = JSON.parse(data) as JobState;
  for (const watcher of [...(watchers.get(job.id) ?? [])]) watcher(job);
}

async function readStream() {
  const answer = await fetch('api/stream', { headers: { 'X-Painleve-Token': token } });
  if (!answer.ok || !answer.body) throw new ServerError('no stream', answer.status);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) dispatch(block);
  }
}

// Lost, full or ended: asked again after a while, and jobs are looked up meanwhile.
export async function openStream() {
  if (streaming) return;
  streaming = true;
  for (;;) {
    try {
      await readStream();
    } catch {
      // asked again below
    }
    for (const [id, all] of watchers) {
      call<JobResult<unknown>>('result', { id, after: 1e9 })
        .then((job) => all.forEach((watcher) => watcher(job)))
        .catch(() => undefined);
    }
    await new Promise((resolve) => setTimeout(resolve, 1500));
  }
}

function ended(job: JobState): boolean {
  return job.state === 'done' || job.state === 'failed' || job.state === 'cancelled';
}

export interface JobWatch<T> {
  job: JobState | null;
  result: T | null;
  error: string;
  cancel: () => void;
}

// Runs the job of a request and gives its newest result; null: no job. The same request finds the same job, so a page
// that is loaded again goes on where it was; leaving the view leaves the job at work, unless it is a map. A request that changes cancels
// the job of the one before.
export function useJob<T>(request: object | null): JobWatch<T> {
  const [watch, setWatch] = useState<JobWatch<T>>({ job: null, result: null, error: '', cancel: () => undefined });
  const text = request ? JSON.stringify(request) : '';
  const last = useRef('');
  useEffect(() => {
    if (!request) return;
    let gone = false;
    let id = '';
    let stage = 0;
    let fetching = false;
    const cancel = () => void (id && call('cancel', { id }).catch(() => undefined));
    const show = (change: Partial<JobWatch<T>>) => {
      if (!gone) setWatch((old) => ({ ...old, ...change, cancel }));
    };
    // States arrive by the stream and with results; one that is at an end is not taken back by an older one.
    let newest: JobState | null = null;
    const follow = async (job: JobState) => {
      if (gone) return;
      if (!newest || ended(job) || (!ended(newest) && job.stage >= newest.stage)) newest = job;
      show({ job: newest, error: newest.state === 'failed' ? newest.error : '' });
      if (fetching) return;
      fetching = true;
      while (!gone && newest.stage > stage) {
        try {
          const got: JobResult<T> = await call<JobResult<T>>('result', { id, after: stage });
          stage = got.stage;
          void follow(got);
          if (got.result) show({ result: got.result });
          else break;
        } catch (error) {
          show({ error: (error as Error).message });
          break;
        }
      }
      fetching = false;
    };
    setWatch((old) => ({ ...old, job: null, error: '' }));
    call<JobState>('job', request)
      .then((job) => {
        id = job.id;
        if (last.current && last.current !== id) call('cancel', { id: last.current }).catch(() => undefined);
        last.current = id;
        if (gone) return;
        if (!watchers.has(id)) watchers.set(id, new Set());
        watchers.get(id)!.add(follow);
        void follow(job);
        // What the stream said of it before anybody listened.
        call<JobResult<T>>('result', { id, after: 1e9 }).then(follow).catch(() => undefined);
      })
      .catch((error: Error) => show({ error: error.message }));
    return () => {
      gone = true;
      // A map that nobody looks at would keep the next job waiting; it is drawn in stages and soon there again.
      if (id && (request as { kind?: string }).kind === 'map' && newest && !ended(newest)) cancel();
      watchers.get(id)?.delete(follow);
      if (watchers.get(id)?.size === 0) watchers.delete(id);
    };
  }, [text]);
  return watch;
}
