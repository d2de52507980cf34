// The generalized friction cone in the space of velocity changes, [1/kg]: a wedge in the plane, a cone in space.
//
//        n ↑   / S−          what an impulse of the friction cone does to the velocity of the contact, W κ;
//          |  /·····         where it reaches below the tangent plane, pressing pulls the contact in: jam
//    ______|_/·········→ t   arrows: directions only, δu₀ ∝ b without contact force, e the present slip
//          \·····
//           \ S+
import type { ConeShape, ContactAnalysis, Place } from '../types';
import { format } from '../format';
import { roundBelow } from './arrow_scale';
import { Camera } from './camera';
import { asPlace, half, mantle, slipRay } from './cone_geometry';
import { Ground } from './ground';
import { palette, type Palette } from './palette';
import { arrow, begin, fill, line, text, tipText } from './pen';
import { note, type Layers, type Picture } from './picture';
import { norm, plus, type Pixel } from './places';
import { Solids } from './solids';

const origin: Place = [0, 0, 0];

export interface ConeShown {
  shape: ConeShape;
  contact: ContactAnalysis;
}

// Everything is drawn in parts of the window, whose sides are round numbers [1/kg]: the picture keeps its scale while the
// friction changes a little. Tangents and normal have scales of their own, else most wedges would be needles; which ray
// lies above which plane, and what lies inside the cone, is the same in every scale.
interface Window {
  t: number;
  n: number;
}

function roundAbove(extent: number): number {
  const below = roundBelow(extent);
  return [1, 1.5, 2, 2.5].map((factor) => factor * below).find((size) => size >= extent) ?? below;
}

export function windowOf(shape: ConeShape): Window {
  const largest = (values: number[]) => Math.max(...values.map(Math.abs));
  return { t: roundAbove(largest(shape.rim.flatMap((edge) => edge.slice(0, -1)))), n: roundAbove(largest(shape.rim.map((edge) => edge[edge.length - 1]!))) };
}

function inWindow(components: number[], window: Window): Place {
  const [x, y, z] = asPlace(components);
  return [x / window.t, y / window.t, z / window.n];
}

class ConeSolids extends Solids {
  draw(shape: ConeShape, window: Window, camera: Camera, colours: Palette) {
    this.clear();
    this.lightFrom(camera);
    const rim = shape.rim.map((edge) => inWindow(edge, window));
    const plane: Place[] = [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]];
    this.addFace(plane, this.veil(colours.surface, 0.13));
    this.lines(plane.flatMap((place, i) => [place, plane[(i + 1) % 4]!]), this.pencil(colours.surface, 0.7));
    const lifted = (places: Place[]) => places.map((place): Place => [place[0], place[1], 0.004]);
    const sector = shape.locking_rim.map((e): Place => [0.8 * e[0]!, 0.8 * e[1]!, 0]);
    if (sector.length > 1) this.addFace(lifted([origin, ...sector]), this.veil(colours.sector, 0.5));
    if (shape.section.length > 2) this.addFace(lifted(shape.section.map((corner) => inWindow(corner, window))), this.veil(colours.section, 0.75));
    this.addTriangles(mantle(rim, true), this.veil(colours.above, 0.4));
    this.addTriangles(mantle(rim, false), this.veil(colours.below, 0.55));
    this.lines(rim.flatMap((place, i) => [place, rim[(i + 1) % rim.length]!]), this.pencil(colours.ink, 0.8));
    const ribs = rim.filter((_, index) => index % 8 === 0);
    this.lines(ribs.flatMap((place) => [origin, place]), this.pencil(colours.ink, 0.25));
  }
}

export class ConePicture implements Picture {
  private camera = new Camera(false);
  private solids: ConeSolids | null = null;
  private shown: ConeShown | null = null;
  private fitted = false;

  private readonly ground: Ground;

  constructor(private readonly layers: Layers) {
    this.ground = new Ground(layers.ground);
  }

  show(shown: ConeShown) {
    this.shown = shown;
    this.draw();
  }

  resize(width: number, height: number) {
    this.camera.width = width;
    this.camera.height = height;
    this.fitted = false;
  }

  dispose() {
    this.solids?.dispose();
    this.ground.dispose();
  }

  private enter(space: boolean) {
    if (space === this.camera.space) return;
    const { width, height } = this.camera;
    this.camera = new Camera(space);
    [this.camera.width, this.camera.height] = [width, height];
    this.fitted = false;
    this.solids?.dispose();
    this.solids = space ? new ConeSolids() : null;
    this.ground.hide();
  }

  // In the plane (t, n) are x and z of the upright plane, which a camera without height looks at.
  private aim(space: boolean) {
    if (this.fitted) return;
    this.fitted = true;
    if (!space) [this.camera.right, this.camera.up, this.camera.toward] = [[1, 0, 0], [0, 0, 1], [0, -1, 0]];
    const seen: Place[] = space
      ? [[-1, -1, 0], [1, 1, 0], [1, -1, 0], [-1, 1, 0], [0, 0, 1.1], [0, 0, -0.6]]
      : [[-1, 0, -0.8], [1, 0, 1]];
    this.camera.fit(seen, space ? { left: 8, right: 8, top: 8, bottom: 8 } : { left: 30, right: 50, top: 20, bottom: 10 });
  }

  draw() {
    if (!this.shown || this.camera.width < 2 || this.camera.height < 2) return;
    const { shape } = this.shown;
    const space = shape.dimension === 3;
    const window = windowOf(shape);
    this.enter(space);
    this.aim(space);
    const colours = palette();
    const context = begin(this.layers.canvas, this.camera.width, this.camera.height, space ? null : colours.paper);
    if (space) this.drawSpace(context, shape, window, colours);
    else this.drawWedge(context, shape, window, colours);
    this.drawState(context, this.shown, window, colours);
    note(this.layers.root, 'ready', 'true');
    note(this.layers.root, 'kind', space ? 'space' : 'plane');
  }

  private at(place: Place): Pixel {
    return this.camera.project(place);
  }

  private drawWedge(context: CanvasRenderingContext2D, shape: ConeShape, window: Window, colours: Palette) {
    const edges = shape.rim.map((edge) => inWindow(edge, window));
    const wedge = [origin, ...edges];
    fill(context, half(wedge, true).map((place) => this.at(place)), colours.above, 0.4);
    fill(context, half(wedge, false).map((place) => this.at(place)), colours.below, 0.6);
    this.drawPlaneAxes(context, window, colours);
    const ends = edges.map((edge) => this.at(edge));
    const one = Math.hypot(ends[0]![0] - ends[1]![0], ends[0]![1] - ends[1]![1]) < 8;  // without friction
    edges.forEach((edge, index) => {
      line(context, [this.at(origin), ends[index]!], colours.ink, 1.5);
      if (one && index === 0) return;
      tipText(context, this.at(origin), ends[index]!, one ? 'S±' : index === 0 ? 'S+' : 'S−', colours.ink, colours, 5, edge[2] < 0);
    });
  }

  private drawPlaneAxes(context: CanvasRenderingContext2D, window: Window, colours: Palette) {
    const zero = this.at(origin);
    line(context, [[0, zero[1]], [this.camera.width, zero[1]]], colours.surface, 2);
    arrow(context, this.at([0, 0, -0.8]), [zero[0], 4], colours.faint, 1);
    for (const sign of [-1, 1]) {
      const [x, y] = this.at([sign, 0, 0]);
      line(context, [[x, y - 4], [x, y + 4]], colours.faint, 1);
      text(context, [x, y + 13], format(sign * window.t, 3), colours.faint, colours, 'center');
    }
    const [x, y] = this.at([0, 0, 1]);
    line(context, [[x - 4, y], [x + 4, y]], colours.faint, 1);
    text(context, [x - 7, y], format(window.n, 3), colours.faint, colours, 'right');
    text(context, [this.camera.width - 4, zero[1] - 12], 'δuₜ [1/kg]', colours.faint, colours, 'right');
    text(context, [zero[0] + 9, 10], 'δuₙ [1/kg]', colours.faint, colours);
  }

  private drawSpace(context: CanvasRenderingContext2D, shape: ConeShape, window: Window, colours: Palette) {
    this.solids!.draw(shape, window, this.camera, colours);
    if (!this.ground.render(this.solids!.scene, this.camera, 2, colours.paper)) {
      const rim = shape.rim.map((edge) => this.at(inWindow(edge, window)));
      line(context, [...rim, rim[0]!], colours.ink, 1.5);
      text(context, [4, this.camera.height - 12], 'No WebGL here: the rim only.', colours.wrong, colours);
    }
    const axes: [string, Place][] = [['δuₜ₁', [1.08, 0, 0]], ['δuₜ₂', [0, 1.08, 0]], ['δuₙ', [0, 0, 1.08]]];
    for (const [name, end] of axes) {
      line(context, [this.at(origin), this.at(end)], colours.faint, 1, [4, 3]);
      tipText(context, this.at(origin), this.at(end), name, colours.faint, colours, 4);
    }
    text(context, [4, 10], `plane: ±${format(window.t, 3)}, δuₙ: ${format(window.n, 3)} [1/kg]`, colours.faint, colours);
  }

  // Directions, all of one length in the window: their sizes have other units than the picture.
  private drawState(context: CanvasRenderingContext2D, shown: ConeShown, window: Window, colours: Palette) {
    const { shape, contact } = shown;
    const zero = this.at(origin);
    const point = (direction: Place, length: number) => this.at(plus(origin, length / norm(direction), direction));
    const named = (direction: Place, length: number, name: string, colour: string, dash: number[] = []) => {
      arrow(context, zero, point(direction, length), colour, dash.length > 0 ? 1.5 : 3, dash);
      tipText(context, zero, point(direction, length), name, colour, colours);
    };
    if (shape.slip) {
      const e = asPlace([...shape.slip, 0]);
      const ray = inWindow(slipRay(contact, shape.slip), window);
      line(context, [zero, this.at(ray)], colours.force, 4);
      named(e, 0.62, 'e', colours.velocity);
      named(e, -0.62, '−e', colours.velocity, [5, 4]);
    }
    const free = inWindow(shape.free, window);
    if (norm(free) > 0) named(free, 0.7, 'δu₀', colours.free);
  }

  grip(): null {
    return null;
  }

  hover(): string {
    return '';
  }

  moveCamera(dx: number, dy: number, pan: boolean) {
    if (this.camera.space && !pan) this.camera.turn(dx, dy);
    else this.camera.pan(dx, dy);
    this.draw();
  }

  zoom(factor: number, about: Pixel) {
    this.camera.zoom(factor, about);
    this.draw();
  }

  fit() {
    this.fitted = false;
    this.draw();
  }
}
