// A question that is asked anew whenever it changes: one at a time, and the newest next, so that a drag never queues
// up. The answer shown is that of the newest question answered; a refusal takes it away, for it would contradict it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from './server';

export interface Answer<T> {
  reply: T | null;
  error: string;   // why there is none; '': there is one, or none yet
  fresh: boolean;  // the reply is that of the present question
}

export function useQuestion<T>(name: string, body: object | null): Answer<T> {
  const [answer, setAnswer] = useState<{ reply: T | null; error: string; of: string }>({ reply: null, error: '', of: '' });
  const text = body ? JSON.stringify(body) : '';
  const run = useRef({ body, text, asked: '', busy: false, gone: false });
  run.current.body = body;
  run.current.text = text;
  useEffect(() => {
    run.current.gone = false;
    return () => void (run.current.gone = true);
  }, []);
  useEffect(() => {
    const ask = async () => {
      const now = run.current;
      if (now.busy || now.gone || !now.body || now.text === now.asked) return;
      now.busy = true;
      const of = (now.asked = now.text);
      let reply: T | null = null;
      let error = '';
      try {
        reply = await call<T>(name, now.body);
      } catch (problem) {
        error = (problem as Error).message;
      }
      now.busy = false;
      if (!now.gone) setAnswer({ reply, error, of });
      void ask();
    };
    void ask();
  }, [text]);
  return { reply: answer.reply, error: answer.error, fresh: answer.of === text };
}
