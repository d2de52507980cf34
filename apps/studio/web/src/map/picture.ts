// The map on a canvas: cells, boundaries, names of regions, axes. The same strokes draw the page and the exported picture.
import type { PaperColours } from '../theme';
import { scaleLinear } from 'd3-scale';
import { format, modeText, shownUnit } from '../format';
import type { AxisRequest, MapResult } from '../types';
import { partOfValue } from './axes';
import { colourOfPart, paintCells, type Legend } from './paint';
import { regionLabels, roomFor, shortName, widerPlaces } from './regions';
import { zeroLine } from './zero_line';

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}
export interface AxisLook extends AxisRequest {
  name: string;
  unit: string;
}
export const margins = { left: 66, right: 14, top: 8, bottom: 46 };
export const paperPalette: PaperColours = { ink: '#222222', faint: '#6b6b6b', paper: '#ffffff', line: '#d4d4d0' };
const font = (size: number, weight = '') => `${weight} ${size}px system-ui, 'DejaVu Sans', sans-serif`.trim();

export function placeOf(box: Box, x: AxisRequest, y: AxisRequest, value: readonly [number, number]): [number, number] {
  return [box.left + box.width * partOfValue(x, value[0]), box.top + box.height * (1 - partOfValue(y, value[1]))];
}

// Thin slanted lines: here is no value.
export function drawHatch(pen: CanvasRenderingContext2D, box: Box, palette: PaperColours) {
  pen.save();
  pen.beginPath();
  pen.rect(box.left, box.top, box.width, box.height);
  pen.clip();
  pen.fillStyle = palette.paper;
  pen.fillRect(box.left, box.top, box.width, box.height);
  pen.strokeStyle = palette.line;
  pen.lineWidth = 1;
  pen.beginPath();
  for (let at = -box.height; at < box.width; at += 8) {
    pen.moveTo(box.left + at, box.top + box.height);
    pen.lineTo(box.left + at + box.height, box.top);
  }
  pen.stroke();
  pen.restore();
}

function drawCells(pen: CanvasRenderingContext2D, box: Box, result: MapResult, legend: Legend) {
  const small = document.createElement('canvas');
  small.width = result.x.count;
  small.height = result.y.count;
  small.getContext('2d')!.putImageData(new ImageData(paintCells(result, legend), small.width, small.height), 0, 0);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(small, box.left, box.top, box.width, box.height);
}

function drawBoundaries(pen: CanvasRenderingContext2D, box: Box, result: MapResult, legend: Legend) {
  pen.lineJoin = 'round';
  pen.beginPath();
  if (legend.kind === 'numbers' && legend.signed) {
    const [wide, high] = [box.width / result.x.count, box.height / result.y.count];
    for (const [x0, y0, x1, y1] of zeroLine(result)) {
      pen.moveTo(box.left + (x0 + 0.5) * wide, box.top + box.height - (y0 + 0.5) * high);
      pen.lineTo(box.left + (x1 + 0.5) * wide, box.top + box.height - (y1 + 0.5) * high);
    }
  }
  for (const boundary of result.boundaries) {
    for (const chain of boundary.chains) {
      chain.forEach((value, index) => {
        const [x, y] = placeOf(box, result.x, result.y, value);
        if (index === 0) pen.moveTo(x, y);
        else pen.lineTo(x, y);
      });
    }
  }
  pen.strokeStyle = 'rgb(255 255 255 / 75%)';
  pen.lineWidth = 3.5;
  pen.stroke();
  pen.strokeStyle = '#111111';
  pen.lineWidth = 1.5;
  pen.stroke();
}

function drawNames(pen: CanvasRenderingContext2D, box: Box, result: MapResult) {
  const cell = Math.min(box.width / result.x.count, box.height / result.y.count);
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.lineJoin = 'round';
  for (const label of regionLabels(result)) {
    if (label.room * cell < 9) continue;
    pen.font = font(14, '600');
    const word = modeText(label.word);
    const wide = (pen.measureText(word).width / 2 + 3) / box.width;
    const places = widerPlaces(result, label);
    const fits = [label, ...places].find((place) => roomFor(result, place, wide, 9 / box.height));
    const text = fits ? word : modeText(shortName(label.word, result.names));
    const at = fits ?? places[0] ?? label;
    const [x, y] = [box.left + box.width * at.x, box.top + box.height * (1 - at.y)];
    pen.strokeStyle = 'rgb(0 0 0 / 55%)';
    pen.lineWidth = 3;
    pen.strokeText(text, x, y);
    pen.fillStyle = '#ffffff';
    pen.fillText(text, x, y);
  }
}

// Everything inside the frame.
export function drawInside(pen: CanvasRenderingContext2D, box: Box, result: MapResult | null, legend: Legend, palette: PaperColours) {
  drawHatch(pen, box, palette);
  if (!result) return;
  pen.save();
  pen.beginPath();
  pen.rect(box.left, box.top, box.width, box.height);
  pen.clip();
  drawCells(pen, box, result, legend);
  drawBoundaries(pen, box, result, legend);
  drawNames(pen, box, result);
  pen.restore();
}

export function axisTitle(axis: AxisLook): string {
  const { unit } = shownUnit(axis.unit);
  return unit ? `${axis.name} [${unit}]` : axis.name;
}

export function ticksOf(axis: AxisLook, length: number): { part: number; text: string }[] {
  const { factor } = shownUnit(axis.unit);
  const scale = scaleLinear().domain([axis.from * factor, axis.to * factor]);
  const all = scale.ticks(Math.max(2, Math.floor(length / 75)));
  return all.map((tick) => ({ part: partOfValue(axis, tick / factor), text: format(tick) }));
}

export function drawAxes(pen: CanvasRenderingContext2D, box: Box, x: AxisLook, y: AxisLook, palette: PaperColours) {
  pen.strokeStyle = palette.faint;
  pen.fillStyle = palette.ink;
  pen.lineWidth = 1;
  pen.font = font(13);
  pen.beginPath();
  pen.rect(box.left - 0.5, box.top - 0.5, box.width + 1, box.height + 1);
  const [bottom, right] = [box.top + box.height, box.left + box.width];
  pen.textAlign = 'center';
  pen.textBaseline = 'top';
  for (const tick of ticksOf(x, box.width)) {
    const at = Math.round(box.left + box.width * tick.part) + 0.5;
    pen.moveTo(at, bottom);
    pen.lineTo(at, bottom + 5);
    pen.fillText(tick.text, Math.min(at, right - 4), bottom + 7);
  }
  pen.textAlign = 'right';
  pen.textBaseline = 'middle';
  for (const tick of ticksOf(y, box.height)) {
    const at = Math.round(bottom - box.height * tick.part) + 0.5;
    pen.moveTo(box.left - 5, at);
    pen.lineTo(box.left, at);
    pen.fillText(tick.text, box.left - 8, at);
  }
  pen.stroke();
  drawTitles(pen, box, x, y);
}

function drawTitles(pen: CanvasRenderingContext2D, box: Box, x: AxisLook, y: AxisLook) {
  pen.font = font(13, '600');
  pen.textAlign = 'center';
  pen.textBaseline = 'bottom';
  pen.fillText(axisTitle(x), box.left + box.width / 2, box.top + box.height + margins.bottom - 2);
  pen.save();
  pen.translate(box.left - margins.left + 3, box.top + box.height / 2);
  pen.rotate(-Math.PI / 2);
  pen.textBaseline = 'top';
  pen.fillText(axisTitle(y), 0, 0);
  pen.restore();
}

export function drawBar(pen: CanvasRenderingContext2D, box: Box, legend: Legend) {
  if (legend.kind !== 'numbers') return;
  for (let i = 0; i < box.width; ++i) {
    const [r, g, b] = colourOfPart(legend, i / Math.max(1, box.width - 1));
    pen.fillStyle = `rgb(${r} ${g} ${b})`;
    pen.fillRect(box.left + i, box.top, 1.5, box.height);
  }
}

export function drawCross(pen: CanvasRenderingContext2D, box: Box, x: AxisRequest, y: AxisRequest, value: [number, number]) {
  const [atX, atY] = placeOf(box, x, y, value);
  const inside = atX >= box.left && atX <= box.left + box.width && atY >= box.top && atY <= box.top + box.height;
  if (!inside) return;
  const stroke = (colour: string, width: number) => {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    pen.moveTo(atX, box.top);
    pen.lineTo(atX, box.top + box.height);
    pen.moveTo(box.left, atY);
    pen.lineTo(box.left + box.width, atY);
    pen.stroke();
  };
  stroke('rgb(255 255 255 / 70%)', 3);
  stroke('#111111', 1);
}
