// The line to the server: a WebSocket for questions that must be answered within a frame. A browser takes about 4 ms to
// make a request by fetch, and less than 1 ms to send a message and read its answer. The line is a convenience: where it
// cannot be had or breaks, the question goes by fetch, and the line is tried again later.
//
//   page:    7 analyze\n{"scene": …}        server:  7 200\n{"schema": 1, …}
import { token } from './store';

export interface LineAnswer {
  status: number;
  body: string;
}

const retry = 5000; // [ms] after a line was lost or refused
let socket: WebSocket | null = null;
let lastTry = -Infinity;
let number = 0;
const waiting = new Map<string, (answer: LineAnswer | null) => void>();

// "7 200\n{…}"; null: this is no answer.
export function parseAnswer(text: string): { number: string; answer: LineAnswer } | null {
  const end = text.indexOf('\n');
  const head = /^(\d{1,15}) (\d{3})$/.exec(text.slice(0, Math.max(end, 0)));
  return head ? { number: head[1]!, answer: { status: Number(head[2]), body: text.slice(end + 1) } } : null;
}

function lost(one: WebSocket) {
  if (socket !== one) return;
  socket = null;
  const all = [...waiting.values()];
  waiting.clear();
  for (const resolve of all) resolve(null);
}

function open() {
  lastTry = performance.now();
  let one: WebSocket;
  try {
    const url = new URL('api/line', window.location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    url.hash = '';
    url.search = '';
    one = new WebSocket(url, ['painleve', `token.${token}`]);
  } catch {
    return; // this browser or its policy has no line for us
  }
  socket = one;
  one.onclose = () => lost(one);
  one.onerror = () => lost(one);
  one.onmessage = (event: MessageEvent<unknown>) => {
    const got = typeof event.data === 'string' ? parseAnswer(event.data) : null;
    if (!got) return one.close();
    const resolve = waiting.get(got.number);
    waiting.delete(got.number);
    resolve?.(got.answer);
  };
}

// The answer, or null where the line is not open or breaks before it comes: then ask in another way.
export function askOnLine(name: string, body: string): Promise<LineAnswer | null> {
  if (!socket && performance.now() - lastTry > retry) open();
  const one = socket;
  if (!one || one.readyState !== WebSocket.OPEN) return Promise.resolve(null);
  const mine = String(++number);
  return new Promise((resolve) => {
    waiting.set(mine, resolve);
    one.send(`${mine} ${name}\n${body}`);
  });
}
