// The program under test: its studio as a child process, and its command line for the numbers that the page must show.
// Plain types only, here and in chromium.ts: node itself reads both for the measurements in bench/studio.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';

const farewell = /^(painleve: the studio has ended\n)?$/;
const built = fileURLToPath(new URL('../../../../build/release/bin/painleve', import.meta.url));

export function programPath(): string {
  const path = process.env['PAINLEVE_PROGRAM'] ?? built;
  if (!existsSync(path)) throw new Error(`${path} is not there: build the program first (scripts/build)`);
  return path;
}

// What the command line prints with --json. A verdict may be an exit code above zero: only silence is a failure.
export function commandLine(...args: string[]): unknown {
  let text: string;
  try {
    text = execFileSync(programPath(), [...args, '--json'], { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
  } catch (error) {
    text = (error as { stdout?: string }).stdout ?? '';
  }
  if (text.trim() === '') throw new Error(`painleve ${args.join(' ')} --json printed nothing`);
  return JSON.parse(text);
}

export class Studio {
  readonly url: string;  // with the key
  private readonly process: ChildProcess;
  private readonly said: string[];  // on its error output

  private constructor(process: ChildProcess, url: string, said: string[]) {
    this.process = process;
    this.url = url;
    this.said = said;
  }

  // `painleve studio ARGS --port 0`: a free port, whose address is printed once the page can be opened.
  static async start(...args: string[]): Promise<Studio> {
    const child = spawn(programPath(), ['studio', ...args, '--port', '0', '--json'], { stdio: ['ignore', 'pipe', 'pipe'] });
    const said: string[] = [];
    child.stderr.on('data', (text) => said.push(String(text)));
    const lines = createInterface({ input: child.stdout });
    let printed = '';
    const url = await new Promise<string>((resolve, reject) => {
      lines.on('line', (line) => {
        printed += line;
        const found = addressIn(printed);
        if (found) resolve(found);
      });
      child.on('error', reject);
      child.on('exit', (code) => reject(new Error(`painleve studio ended with ${code}: ${said.join('')}${printed}`)));
    });
    return new Studio(child, url, said);
  }

  get origin(): string {
    return new URL(this.url).origin;
  }

  get token(): string {
    return new URLSearchParams(new URL(this.url).hash.slice(1)).get('token') ?? '';
  }

  // Ctrl-C: must end at once, with 0, and say so; any other word is a complaint.
  async stop(): Promise<void> {
    const ended = new Promise<string>((resolve) => this.process.once('exit', (code, signal) => resolve(String(signal ?? code))));
    if (this.process.exitCode !== null || this.process.signalCode !== null) throw new Error(`painleve studio ended by itself: ${this.said.join('')}`);
    this.process.kill('SIGINT');
    const late = setTimeout(() => this.process.kill('SIGKILL'), 5000);
    const how = await ended;
    clearTimeout(late);
    if (how !== '0' || !farewell.test(this.said.join(''))) throw new Error(`painleve studio ended with ${how}: ${this.said.join('')}`);
  }
}

// JSON over one or several lines; not yet complete: null.
function addressIn(text: string): string | null {
  try {
    return (JSON.parse(text) as { url?: string }).url ?? null;
  } catch {
    return null;
  }
}
