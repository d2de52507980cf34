// The main picture of a view as a file: the canvases and drawings inside the element that the view marks with
// data-export="picture", put together on white under a title and above a caption.
import { offeredPicture } from './registry';

export interface Caption {
  title: string;
  lines: string[];
}

const copied = [
  'fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'opacity',
  'font-family', 'font-size', 'font-weight', 'font-style', 'text-anchor', 'dominant-baseline', 'paint-order', 'visibility', 'display',
] as const;
const svgSpace = 'http://www.w3.org/2000/svg';
const margin = 16;

// What a view marks, or the largest picture on it.
export function markedElement(): Element | null {
  const marked = document.querySelector('main [data-export="picture"]');
  if (marked) return marked;
  const area = (element: Element) => element.clientWidth * element.clientHeight;
  const pictures = [...document.querySelectorAll('main canvas, main svg')].filter((element) => area(element) > 0);
  return pictures.sort((a, b) => area(b) - area(a))[0] ?? null;
}

// The one drawing in the marked element, if it is one: it can leave as a drawing.
export function markedSvg(): SVGSVGElement | null {
  const marked = offeredPicture() ? null : markedElement();
  if (marked instanceof SVGSVGElement) return marked;
  const inside = marked?.querySelectorAll('svg, canvas') ?? [];
  return inside.length === 1 && inside[0] instanceof SVGSVGElement ? inside[0] : null;
}

// A copy that stands alone: what style sheets say is written into the attributes.
export function standaloneSvg(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [from, to] = [[svg, ...svg.querySelectorAll('*')], [copy, ...copy.querySelectorAll('*')]];
  from.forEach((element, index) => {
    const style = getComputedStyle(element);
    const target = to[index]!;
    for (const name of copied) target.setAttribute(name, style.getPropertyValue(name));
    for (const name of ['style', 'class', 'data-testid', 'tabindex']) target.removeAttribute(name);
  });
  const box = svg.getBoundingClientRect();
  copy.setAttribute('xmlns', svgSpace);
  copy.setAttribute('width', String(box.width));
  copy.setAttribute('height', String(box.height));
  if (!copy.hasAttribute('viewBox')) copy.setAttribute('viewBox', `0 0 ${box.width} ${box.height}`);
  const paper = document.createElementNS(svgSpace, 'rect');
  for (const [name, value] of [['x', '-100%'], ['y', '-100%'], ['width', '300%'], ['height', '300%'], ['fill', '#ffffff']] as const) paper.setAttribute(name, value);
  copy.insertBefore(paper, copy.firstChild);
  return new XMLSerializer().serializeToString(copy);
}

async function imageOf(svg: SVGSVGElement): Promise<HTMLImageElement> {
  const address = URL.createObjectURL(new Blob([standaloneSvg(svg)], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(address);
  }
}

// All canvases and drawings of an element where they stand, at twice the dots of the screen.
async function composed(element: Element): Promise<HTMLCanvasElement> {
  const frame = element.getBoundingClientRect();
  const canvas = document.createElement('canvas');
  const dots = 2;
  canvas.width = Math.max(1, Math.round(frame.width * dots));
  canvas.height = Math.max(1, Math.round(frame.height * dots));
  const pen = canvas.getContext('2d')!;
  pen.fillStyle = '#ffffff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.scale(dots, dots);
  const parts = element.matches('svg, canvas') ? [element] : [...element.querySelectorAll('svg, canvas')];
  for (const part of parts) {
    const box = part.getBoundingClientRect();
    if (box.width === 0 || box.height === 0 || part.parentElement?.closest('svg')) continue;
    const source = part instanceof HTMLCanvasElement ? part : await imageOf(part as SVGSVGElement);
    pen.drawImage(source, box.left - frame.left, box.top - frame.top, box.width, box.height);
  }
  return canvas;
}

function withCaption(picture: HTMLCanvasElement, caption: Caption): HTMLCanvasElement {
  const dots = 2;
  const canvas = document.createElement('canvas');
  const head = 34 * dots;
  canvas.width = picture.width + 2 * margin * dots;
  canvas.height = picture.height + head + (caption.lines.length * 20 + 2 * margin) * dots;
  const pen = canvas.getContext('2d')!;
  pen.fillStyle = '#ffffff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, margin * dots, head);
  pen.scale(dots, dots);
  pen.fillStyle = '#222222';
  pen.textBaseline = 'top';
  const room = canvas.width / dots - 2 * margin;
  pen.font = "600 17px system-ui, 'DejaVu Sans', sans-serif";
  pen.fillText(caption.title, margin, 9, room);
  pen.font = "13px system-ui, 'DejaVu Sans', sans-serif";
  caption.lines.forEach((text, index) => pen.fillText(text, margin, (head + picture.height) / dots + 8 + 20 * index, room));
  return canvas;
}

// Pictures are kept on white: a dark page is painted light for the two frames that it takes.
async function inLight<T>(make: () => Promise<T>): Promise<T> {
  const root = document.documentElement;
  const theme = root.dataset['theme'];
  if (theme !== 'dark') return make();
  root.dataset['theme'] = 'light';
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  try {
    await frame();
    await frame();
    return await make();
  } finally {
    root.dataset['theme'] = theme;
  }
}

// null: the view has nothing to show yet.
export async function pictureFile(caption: Caption): Promise<Blob | null> {
  const make = async () => {
    const offered = offeredPicture()?.make() ?? null;
    const marked = markedElement();
    return offered ?? (marked ? composed(marked) : null);
  };
  const picture = await inLight(make);
  if (!picture) return null;
  const framed = withCaption(picture, caption);
  return new Promise((resolve) => framed.toBlob(resolve, 'image/png'));
}

export function svgFile(): Promise<Blob | null> {
  return inLight(async () => {
    const svg = markedSvg();
    return svg ? new Blob([standaloneSvg(svg)], { type: 'image/svg+xml' }) : null;
  });
}
