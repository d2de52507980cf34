// The map as a picture to keep: on white, with its legend, whatever the page looks like.
import { modeText } from '../format';
import type { MapResult } from '../types';
import { extremes, percent, rampEnds } from './legend_text';
import { legendOf, type Legend } from './paint';
import { drawAxes, drawBar, drawCross, drawInside, margins, paperPalette, type Box } from './picture';

const dots = 2;

function drawWords(pen: CanvasRenderingContext2D, legend: Legend, left: number, top: number) {
  if (legend.kind !== 'words') return;
  let at = left;
  for (const entry of legend.entries) {
    const text = `${modeText(entry.word)} ${percent(entry.share)}`;
    pen.fillStyle = entry.colour;
    pen.fillRect(at, top, 14, 14);
    pen.fillStyle = paperPalette.ink;
    pen.fillText(text, at + 19, top + 7);
    at += 19 + pen.measureText(text).width + 22;
  }
}

function drawLegend(pen: CanvasRenderingContext2D, result: MapResult, legend: Legend, left: number, top: number) {
  pen.font = "13px system-ui, 'DejaVu Sans', sans-serif";
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  drawWords(pen, legend, left, top);
  if (legend.kind !== 'numbers') return;
  const [low, high] = rampEnds(legend, result.unit);
  const bar: Box = { left: left + pen.measureText(low).width + 8, top, width: 180, height: 14 };
  drawBar(pen, bar, legend);
  pen.fillStyle = paperPalette.ink;
  pen.fillText(low, left, top + 7);
  pen.fillText(`${high}     (${extremes(legend, result.unit)})`, bar.left + bar.width + 8, top + 7);
}

export function mapPicture(result: MapResult, present: [number, number]): HTMLCanvasElement {
  const box: Box = { left: margins.left, top: margins.top, width: 860, height: 560 };
  const canvas = document.createElement('canvas');
  canvas.width = dots * (box.width + margins.left + margins.right);
  canvas.height = dots * (box.height + margins.top + margins.bottom + 30);
  const pen = canvas.getContext('2d')!;
  pen.scale(dots, dots);
  pen.fillStyle = paperPalette.paper;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  const legend = legendOf(result);
  drawInside(pen, box, result, legend, paperPalette);
  drawAxes(pen, box, result.x, result.y, paperPalette);
  drawCross(pen, box, result.x, result.y, present);
  drawLegend(pen, result, legend, box.left, box.top + box.height + margins.bottom + 8);
  return canvas;
}
