// The markup of the library's texts: subscripts μ_{jam}, superscripts α^{−1/2}, slanted letters /x/. They nest; a slash
// between letters or numbers (m/s) stands for itself. The rules are those of painleve/figure/markup.cpp, so that a
// label looks the same on paper and on the page.

export interface TextRun {
  text: string;
  scale: number;    // of the letters
  rise: number;     // of the baseline, in letters of the whole text
  slanted: boolean;
}

const smallLetters = 0.72;
const lowered = -0.22;
const raised = 0.36;

// Letters, digits and closing brackets: a slash after one of them divides. Beyond ASCII, letters lie below U+2000.
function endsOperand(text: string): boolean {
  return /[A-Za-z0-9)\]}\u00C0-\u1FFF]$/.test(text);
}

function beginsOperand(text: string): boolean {
  return /^[A-Za-z0-9\u00C0-\u1FFF]/.test(text);
}

// Where the brace that is open at the start closes; −1: nowhere.
function closingBrace(text: string): number {
  let depth = 1;
  for (let i = 0; i < text.length; ++i) {
    if (text[i] === '{') ++depth;
    if (text[i] === '}' && --depth === 0) return i;
  }
  return -1;
}

// Where the slant that begins with the slash at `at` ends; −1: it is no slant.
function closingSlash(text: string, at: number): number {
  if (endsOperand(text.slice(0, at)) || !beginsOperand(text.slice(at + 1))) return -1;
  for (let i = at + 1; i < text.length; ++i) {
    if (/\s/.test(text[i]!)) return -1;
    if (text[i] === '{') {
      const brace = closingBrace(text.slice(i + 1));
      if (brace < 0) return -1;
      i += brace + 1;
    } else if (text[i] === '/') {
      return beginsOperand(text.slice(i + 1)) ? -1 : i;
    }
  }
  return -1;
}

type Style = Omit<TextRun, 'text'>;

function put(runs: TextRun[], letter: string, style: Style) {
  const last = runs.at(-1);
  if (last && last.scale === style.scale && last.rise === style.rise && last.slanted === style.slanted) last.text += letter;
  else runs.push({ ...style, text: letter });
}

// Reads the mark at `at` and returns the place after it; `at`: there is none.
function readMark(runs: TextRun[], text: string, at: number, style: Style): number {
  const mark = text[at]!;
  if ((mark === '_' || mark === '^') && text[at + 1] === '{') {
    const end = closingBrace(text.slice(at + 2));
    if (end < 0) return at;
    const rise = style.rise + style.scale * (mark === '_' ? lowered : raised);
    read(runs, text.slice(at + 2, at + 2 + end), { ...style, rise, scale: style.scale * smallLetters });
    return at + 3 + end;
  }
  if (mark === '/' && !style.slanted) {
    const end = closingSlash(text, at);
    if (end < 0) return at;
    read(runs, text.slice(at + 1, end), { ...style, slanted: true });
    return end + 1;
  }
  return at;
}

function read(runs: TextRun[], text: string, style: Style) {
  for (let i = 0; i < text.length; ) {
    const next = readMark(runs, text, i, style);
    if (next === i) put(runs, text[i]!, style);
    i = next === i ? i + 1 : next;
  }
}

export function textRuns(text: string): TextRun[] {
  const runs: TextRun[] = [];
  read(runs, text, { scale: 1, rise: 0, slanted: false });
  return runs;
}

export function plainText(text: string): string {
  return textRuns(text).map((run) => run.text).join('');
}

let pen: CanvasRenderingContext2D | null | undefined;

// The width of a text of `size` pixels in the font of the plots; estimated where there is no screen.
export function textWidth(text: string, size: number, bold = false): number {
  if (pen === undefined) pen = typeof document === 'undefined' ? null : document.createElement('canvas').getContext('2d');
  let width = 0;
  for (const run of textRuns(text)) {
    const letters = size * run.scale;
    if (pen) pen.font = `${run.slanted ? 'italic ' : ''}${bold ? 'bold ' : ''}${letters}px ${plotFont}`;
    width += pen ? pen.measureText(run.text).width : 0.58 * letters * run.text.length;
  }
  return width;
}

export const plotFont = "system-ui, 'DejaVu Sans', sans-serif";
