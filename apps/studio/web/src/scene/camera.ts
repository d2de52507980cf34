// An orthographic camera: parallel lines stay parallel, so that one metre is one length everywhere in the picture, and
// the place under a pixel is known up to its depth. In the plane it looks along −z; in space it turns about the z axis.
import type { Place } from '../types';
import { cross, dot, minus, plus, type Pixel } from './places';

const steepest = 1.5;  // [rad] just short of the zenith, where left and right would change places
const startYaw = -1.0;
const startPitch = 0.36;
// The least part of the larger side that the other side of the fitted box takes: a rod that stands can also lie.
const leastSide = 0.8;

export interface Margins {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export class Camera {
  target: Place = [0, 0, 0];
  scale = 100;  // [px/m]
  width = 0;    // [px]
  height = 0;
  right: Place = [1, 0, 0];
  up: Place = [0, 1, 0];
  toward: Place = [0, 0, 1];  // from the target to the eye
  private yaw = startYaw;
  private pitch = startPitch;

  constructor(readonly space: boolean) {
    if (space) this.look(startYaw, startPitch);
  }

  look(yaw: number, pitch: number) {
    this.yaw = yaw;
    this.pitch = Math.max(-steepest, Math.min(steepest, pitch));
    const level = Math.cos(this.pitch);
    this.toward = [level * Math.cos(this.yaw), level * Math.sin(this.yaw), Math.sin(this.pitch)];
    this.right = [-Math.sin(this.yaw), Math.cos(this.yaw), 0];
    this.up = cross(this.toward, this.right);
  }

  project(place: Place): Pixel {
    const from = minus(place, this.target);
    return [this.width / 2 + this.scale * dot(from, this.right), this.height / 2 - this.scale * dot(from, this.up)];
  }

  // The place under a pixel in the plane through `through` that faces the camera.
  unproject([x, y]: Pixel, through: Place): Place {
    const across = plus(this.target, (x - this.width / 2) / this.scale, this.right);
    const place = plus(across, (this.height / 2 - y) / this.scale, this.up);
    return plus(place, dot(minus(through, place), this.toward), this.toward);
  }

  // The place under a pixel in the plane through `through` with this normal; null where that is seen edge on.
  onPlane(pixel: Pixel, through: Place, normal: Place): Place | null {
    const place = this.unproject(pixel, through);
    const slant = dot(this.toward, normal);
    if (Math.abs(slant) < 0.05) return null;
    return plus(place, dot(minus(through, place), normal) / slant, this.toward);
  }

  // Shows all of the places, in the middle of what the margins leave.
  fit(places: Place[], margins: Margins) {
    const across = range(places.map((place) => dot(place, this.right)));
    const upwards = range(places.map((place) => dot(place, this.up)));
    const largest = Math.max(across.size, upwards.size) || 1;
    const free = [this.width - margins.left - margins.right, this.height - margins.top - margins.bottom] as const;
    const wanted = [Math.max(across.size, leastSide * largest), Math.max(upwards.size, leastSide * largest)] as const;
    this.scale = Math.max(1e-6, Math.min(Math.max(20, free[0]) / wanted[0], Math.max(20, free[1]) / wanted[1]));
    const x = across.middle - (margins.left - margins.right) / 2 / this.scale;
    const y = upwards.middle + (margins.top - margins.bottom) / 2 / this.scale;
    const depth = range(places.map((place) => dot(place, this.toward))).middle;
    this.target = plus(plus(plus([0, 0, 0], x, this.right), y, this.up), depth, this.toward);
  }

  sees(places: Place[]): boolean {
    const pixels = places.map((place) => this.project(place));
    const x = range(pixels.map((pixel) => pixel[0]));
    const y = range(pixels.map((pixel) => pixel[1]));
    return x.to > 0 && x.from < this.width && y.to > 0 && y.from < this.height;
  }

  zoom(factor: number, about: Pixel) {
    const held = this.unproject(about, this.target);
    this.scale = Math.max(1e-6, Math.min(1e9, this.scale * factor));
    this.target = plus(this.target, 1, minus(held, this.unproject(about, this.target)));
  }

  pan(dx: number, dy: number) {
    this.target = plus(plus(this.target, -dx / this.scale, this.right), dy / this.scale, this.up);
  }

  // A drag across the whole picture is half a turn.
  turn(dx: number, dy: number) {
    const perPixel = Math.PI / Math.max(200, Math.min(this.width, this.height));
    this.look(this.yaw - dx * perPixel, this.pitch + dy * perPixel);
  }
}

function range(values: number[]): { from: number; to: number; size: number; middle: number } {
  if (values.length === 0) return { from: 0, to: 0, size: 0, middle: 0 };
  const from = Math.min(...values);
  const to = Math.max(...values);
  return { from, to, size: to - from, middle: (from + to) / 2 };
}
