import { beforeEach, describe, expect, it, vi } from 'vitest';

vi.mock('./store', () => ({ token: 'secret' }));

class FakeSocket {
  static OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: string[] = [];
  onclose?: () => void;
  onerror?: () => void;
  onmessage?: (event: { data: unknown }) => void;
  constructor(readonly url: URL, readonly protocols: string[]) {
    FakeSocket.all.push(this);
  }
  send(text: string) {
    this.sent.push(text);
  }
  close() {
    this.readyState = 3;
    this.onclose?.();
  }
}

async function freshLine() {
  vi.resetModules();
  return import('./line');
}

describe('the line', () => {
  beforeEach(() => {
    FakeSocket.all = [];
    vi.stubGlobal('WebSocket', FakeSocket);
    vi.stubGlobal('window', { location: { href: 'http://127.0.0.1:8080/?x=1#token=secret' } });
  });

  it('brings the token among its protocols, and never in its address', async () => {
    const { askOnLine } = await freshLine();
    expect(await askOnLine('analyze', '{}')).toBeNull(); // not open yet
    expect(String(FakeSocket.all[0]!.url)).toBe('ws://127.0.0.1:8080/api/line');
    expect(FakeSocket.all[0]!.protocols).toEqual(['painleve', 'token.secret']);
  });

  it('gives each question its own answer', async () => {
    const { askOnLine } = await freshLine();
    void askOnLine('analyze', '{}');
    const socket = FakeSocket.all[0]!;
    socket.readyState = 1;
    const first = askOnLine('analyze', '{"a":1}');
    const second = askOnLine('drag', '{"b":2}');
    expect(socket.sent).toEqual(['1 analyze\n{"a":1}', '2 drag\n{"b":2}']);
    socket.onmessage!({ data: '2 400\n{"error":"no"}' });
    socket.onmessage!({ data: '1 200\n{\n}' });
    expect(await first).toEqual({ status: 200, body: '{\n}' });
    expect(await second).toEqual({ status: 400, body: '{"error":"no"}' });
  });

  it('gives questions back when it breaks, and is not tried again at once', async () => {
    const { askOnLine } = await freshLine();
    void askOnLine('analyze', '{}');
    FakeSocket.all[0]!.readyState = 1;
    const question = askOnLine('analyze', '{}');
    FakeSocket.all[0]!.close();
    expect(await question).toBeNull();
    expect(await askOnLine('analyze', '{}')).toBeNull();
    expect(FakeSocket.all).toHaveLength(1);
  });

  it('ends when what it hears is no answer', async () => {
    const { askOnLine, parseAnswer } = await freshLine();
    expect(parseAnswer('7 200\n{}')).toEqual({ number: '7', answer: { status: 200, body: '{}' } });
    for (const text of ['', '7 200', '7\n{}', 'x 200\n{}', '7 20\n{}']) expect(parseAnswer(text)).toBeNull();
    void askOnLine('analyze', '{}');
    FakeSocket.all[0]!.readyState = 1;
    const question = askOnLine('analyze', '{}');
    FakeSocket.all[0]!.onmessage!({ data: 'rubbish' });
    expect(await question).toBeNull();
  });
});
