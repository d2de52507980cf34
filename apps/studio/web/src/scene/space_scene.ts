// Bodies, tables and friction cones of figures as solids of three.
import { ConeGeometry, Matrix4, Quaternion, Vector3, CylinderGeometry, SphereGeometry, type Material } from 'three';
import type { Drawing, Place } from '../types';
import { roundBelow } from './arrow_scale';
import type { Camera } from './camera';
import { placesToSee, type Figure } from './figure';
import type { Palette } from './palette';
import { minus, norm, plus } from './places';
import { Solids } from './solids';

const zAxis = new Vector3(0, 0, 1);
const thinnest = 2;       // [px] of a line that has no width of its own
const shadowLift = 2e-3;  // of the shadow above its table, in parts of the size: no flicker

type Rectangle = { low: Place; high: Place };

export class SpaceScene extends Solids {
  depth = 1;  // [m] around the target of the camera that holds everything
  private readonly cylinder = this.keep(new CylinderGeometry(1, 1, 1, 20, 1, true).rotateX(Math.PI / 2));
  private readonly sphere = this.keep(new SphereGeometry(1, 24, 16));
  private readonly cone = this.keep(new ConeGeometry(1, 1, 48, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5));
  private table: Rectangle | null = null;  // grows while a scene is shown: a drag must not shake it

  forgetTable() {
    this.table = null;
  }

  draw(figures: Figure[], camera: Camera, coneLength: number, colours: Palette) {
    this.clear();
    this.lightFrom(camera);
    this.depth = 0;
    const first = figures[0]!;
    this.addSurfaces(first.drawing, colours);
    for (const figure of figures) {
      for (const place of placesToSee(figure.drawing)) this.depth = Math.max(this.depth, norm(minus(place, camera.target)));
      this.addBodies(figure, camera, colours);
    }
    if (first.mu) this.addCones(first, coneLength / camera.scale, colours);
  }

  private addBodies(figure: Figure, camera: Camera, colours: Palette) {
    const floor = this.table?.low[2];
    for (const stroke of figure.drawing.strokes) {
      if (stroke.part === 'surface') continue;
      const heavy = stroke.part === 'body';
      const material = this.solid(figure.colour ?? (heavy ? colours.body : stroke.part === 'mark' ? colours.ink : colours.line), figure.opacity);
      if (stroke.closed && stroke.points.length > 2) this.addFace(stroke.points, material);
      const radius = Math.max(stroke.width / 2, (stroke.closed ? 0.5 : 1) * thinnest / 2 / camera.scale);
      const count = stroke.closed ? stroke.points.length : stroke.points.length - 1;
      for (let i = 0; i < count; ++i) {
        const [a, b] = [stroke.points[i]!, stroke.points[(i + 1) % stroke.points.length]!];
        this.addLink(a, b, radius, material);
        if (floor !== undefined && figure.opacity === 1 && heavy) this.addShadow(a, b, radius, floor);
      }
    }
    for (const ball of figure.drawing.balls) {
      if (ball.part === 'surface') continue;
      const mark = ball.part === 'mark';
      const material = this.solid(figure.colour ?? (mark ? colours.ink : colours.body), figure.opacity);
      // Marks lie inside their links: a little larger, they show.
      const radius = mark ? Math.max(1.25 * ball.radius, 3 / camera.scale) : ball.radius;
      this.add(this.sphere, material, new Matrix4().makeScale(radius, radius, radius).setPosition(...ball.centre));
    }
  }

  private addLink(a: Place, b: Place, radius: number, material: Material) {
    this.add(this.cylinder, material, linkMatrix(a, b, radius));
    for (const end of [a, b]) this.add(this.sphere, material, new Matrix4().makeScale(radius, radius, radius).setPosition(...end));
  }

  private addShadow(a: Place, b: Place, radius: number, floor: number) {
    const lift = floor + shadowLift * norm(minus(a, b));
    const onto = new Matrix4().makeScale(1, 1, 0).setPosition(0, 0, lift);
    this.add(this.cylinder, this.veil('#000000', 0.13), onto.multiply(linkMatrix(a, b, radius)));
  }

  private addSurfaces(drawing: Drawing, colours: Palette) {
    for (const stroke of drawing.strokes) {
      if (stroke.part !== 'surface') continue;
      const table = stroke.closed ? levelRectangle(stroke.points) : null;
      if (table) this.addTable(table, colours);
      else if (stroke.closed) this.addFace(stroke.points, this.veil(colours.surface, 0.14));
      const edges = stroke.points.flatMap((place, i) => (i === 0 ? [] : [stroke.points[i - 1]!, place]));
      if (!table) this.lines(edges, this.pencil(colours.surface, 1));
    }
  }

  // A grid of round spacing: depth is read from it.
  private addTable(wanted: Rectangle, colours: Palette) {
    const old = this.table;
    const table: Rectangle = !old ? wanted : {
      low: [Math.min(old.low[0], wanted.low[0]), Math.min(old.low[1], wanted.low[1]), wanted.low[2]],
      high: [Math.max(old.high[0], wanted.high[0]), Math.max(old.high[1], wanted.high[1]), wanted.high[2]],
    };
    this.table = table;
    const [[x0, y0, z], [x1, y1]] = [table.low, table.high];
    this.addFace([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]], this.veil(colours.surface, 0.1));
    this.lines([[x0, y0, z], [x1, y0, z], [x1, y0, z], [x1, y1, z], [x1, y1, z], [x0, y1, z], [x0, y1, z], [x0, y0, z]], this.pencil(colours.surface, 0.8));
    const spacing = roundBelow(Math.max(x1 - x0, y1 - y0) / 5);
    const grid: Place[] = [];
    for (let x = Math.ceil(x0 / spacing) * spacing; x < x1; x += spacing) grid.push([x, y0, z], [x, y1, z]);
    for (let y = Math.ceil(y0 / spacing) * spacing; y < y1; y += spacing) grid.push([x0, y, z], [x1, y, z]);
    this.lines(grid, this.pencil(colours.surface, 0.22));
  }

  private addCones(figure: Figure, length: number, colours: Palette) {
    figure.drawing.contacts.forEach((contact, index) => {
      const mu = figure.mu?.[index];
      if (mu === undefined || mu === null || figure.closed?.[index] === false) return;
      const height = length / Math.hypot(1, mu);
      const turn = new Quaternion().setFromUnitVectors(zAxis, new Vector3(...contact.normal));
      const matrix = new Matrix4().compose(new Vector3(...contact.at), turn, new Vector3(mu * height, mu * height, height));
      this.add(this.cone, this.veil(colours.cone, 0.2), matrix);
      const rim: Place[] = [];
      for (let i = 0; i < 96; ++i) {
        const angle = (2 * Math.PI * Math.ceil(i / 2)) / 48;
        const on = new Vector3(Math.cos(angle), Math.sin(angle), 1).applyMatrix4(matrix);
        rim.push([on.x, on.y, on.z]);
      }
      this.lines(rim, this.pencil(colours.cone, 1));
    });
  }
}

// The unit cylinder along z, from a to b.
function linkMatrix(a: Place, b: Place, radius: number): Matrix4 {
  const along = new Vector3(...minus(b, a));
  const length = along.length();
  const turn = new Quaternion().setFromUnitVectors(zAxis, length > 0 ? along.clone().divideScalar(length) : zAxis);
  const middle = new Vector3(...plus(a, 0.5, minus(b, a)));
  return new Matrix4().compose(middle, turn, new Vector3(radius, radius, length));
}

// A table: four corners at one height, sides along x and y.
export function levelRectangle(points: Place[]): Rectangle | null {
  if (points.length !== 4 || points.some((place) => place[2] !== points[0]![2])) return null;
  const along = (k: 0 | 1) => points.map((place) => place[k]);
  const low: Place = [Math.min(...along(0)), Math.min(...along(1)), points[0]![2]];
  const high: Place = [Math.max(...along(0)), Math.max(...along(1)), points[0]![2]];
  const corner = (place: Place) => (place[0] === low[0] || place[0] === high[0]) && (place[1] === low[1] || place[1] === high[1]);
  return points.every(corner) ? { low, high } : null;
}
