// The drawing of a mechanism: camera, layers in their order, and what can be gripped in it.
import type { Grip, Place } from '../types';
import {
  coneLength, drawContactArrows, drawGravity, drawHandles, drawLabel, drawLegend, drawNames, drawTriad, scalesOf, velocityTips,
  type Scales,
} from './annotations';
import { pixelsPer } from './arrow_scale';
import { Camera, type Margins } from './camera';
import { isSchematic, placesToSee, type Figure } from './figure';
import type { Held } from './gestures';
import { Ground } from './ground';
import { palette, type Palette } from './palette';
import { begin, text } from './pen';
import { note, type Layers, type Picture } from './picture';
import { bodyUnder, firstGrip, reach, slipUnder } from './picking';
import { minus, plus, type Pixel } from './places';
import { drawBodies, drawCones, drawSurfaces } from './planar_canvas';
import { SpaceScene } from './space_scene';

const restWithin = 4;  // [px] a pulled velocity arrow that is shorter means rest

export interface Shown {
  figures: Figure[];
  sceneKey: string;
  onDrag?: ((grip: Grip, to: Place) => void) | undefined;
  onDragVelocity?: ((contact: number, u_t: number[]) => void) | undefined;
  canDragVelocity?: ((contact: number) => boolean) | undefined;
}

// Without bodies the surface is what there is, and room for the arrows above it.
function schematicPlaces(figure: Figure): Place[] {
  const { strokes, contacts } = figure.drawing;
  return [...strokes.flatMap((stroke) => stroke.points), ...contacts.map((contact) => plus(contact.at, 1.2, contact.normal))];
}

export class MechanismPicture implements Picture {
  private camera = new Camera(false);
  private space: SpaceScene | null = null;
  private shown: Shown = { figures: [], sceneKey: '' };
  private fitted = '';         // the scene for which the camera was set
  private untouched = true;    // nobody moved the camera since
  private steady: Scales | null = null;
  private pulled = false;      // a body or a velocity is held: the picture must not move below the hand
  private frozen: Scales | null = null;  // while a velocity is pulled: else the arrow would run from the pointer

  private readonly ground: Ground;

  constructor(private readonly layers: Layers) {
    this.ground = new Ground(layers.ground);
  }

  show(shown: Shown) {
    this.shown = shown;
    this.draw();
  }

  resize(width: number, height: number) {
    this.camera.width = width;
    this.camera.height = height;
    if (this.untouched) this.fitted = '';
  }

  dispose() {
    this.space?.dispose();
    this.ground.dispose();
  }

  private enter(space: boolean) {
    if (space === this.camera.space) return;
    const { width, height } = this.camera;
    this.camera = new Camera(space);
    this.camera.width = width;
    this.camera.height = height;
    this.space?.dispose();
    this.space = space ? new SpaceScene() : null;
    this.ground.hide();
  }

  private margins(first: Figure): Margins {
    const { width, height } = this.camera;
    if (isSchematic(first.drawing)) return { left: 0.1 * width, right: 0.1 * width, top: 0.1 * height, bottom: 0.1 * height };
    const side = 0.16 * Math.min(width, height);
    return { left: side, right: side + 20, top: side, bottom: side + 30 };
  }

  private aim() {
    const first = this.shown.figures[0]!;
    const schematic = isSchematic(first.drawing);
    const places = schematic ? schematicPlaces(first) : placesToSee(first.drawing);
    const key = `${this.shown.sceneKey} ${first.drawing.dimension}`;
    const lost = !schematic && !this.camera.sees(places);
    if (this.pulled || (key === this.fitted && !lost)) return;
    if (key !== this.fitted) {
      this.space?.forgetTable();
      this.steady = null;
    }
    this.camera.fit(places, this.margins(first));
    this.fitted = key;
    this.untouched = true;
  }

  draw() {
    const { figures } = this.shown;
    const first = figures[0];
    if (!first || this.camera.width < 2 || this.camera.height < 2) return;
    this.enter(first.drawing.dimension === 3);
    this.aim();
    const colours = palette();
    const context = begin(this.layers.canvas, this.camera.width, this.camera.height, this.space ? null : colours.paper);
    const ordered = [...figures].sort((a, b) => Number(a.opacity >= 1) - Number(b.opacity >= 1));
    if (this.space) this.drawSpace(context, ordered, colours);
    else this.drawPlane(context, ordered, colours);
    const scales = this.scales();
    for (const figure of ordered) {
      context.globalAlpha = figure.opacity;
      drawContactArrows(context, this.camera, figure, scales, colours);
    }
    context.globalAlpha = 1;
    this.drawWords(context, ordered, scales, colours);
    this.report(first, scales);
  }

  private drawPlane(context: CanvasRenderingContext2D, ordered: Figure[], colours: Palette) {
    drawSurfaces(context, this.camera, this.shown.figures[0]!.drawing, colours);
    for (const figure of ordered) {
      context.globalAlpha = figure.opacity;
      drawBodies(context, this.camera, figure, colours);
    }
    context.globalAlpha = 1;
    for (const figure of ordered) if (figure.mu) drawCones(context, this.camera, figure, coneLength(this.shown.figures, this.camera), colours);
  }

  private drawSpace(context: CanvasRenderingContext2D, ordered: Figure[], colours: Palette) {
    const first = this.shown.figures[0]!;
    this.space!.draw([first, ...ordered.filter((figure) => figure !== first)], this.camera, coneLength(this.shown.figures, this.camera), colours);
    if (this.ground.render(this.space!.scene, this.camera, this.space!.depth, colours.paper)) return;
    this.drawPlane(context, ordered, colours);
    text(context, [16, 18], 'This browser has no WebGL, so bodies are drawn flat.', colours.wrong, colours);
  }

  private drawWords(context: CanvasRenderingContext2D, ordered: Figure[], scales: Scales, colours: Palette) {
    const first = this.shown.figures[0]!;
    for (const figure of ordered) drawLabel(context, this.camera, figure, colours);
    drawNames(context, this.camera, first, colours);
    drawHandles(context, this.tips(scales).map((one) => one.at), colours);
    drawLegend(context, this.camera, this.shown.figures, scales, colours);
    drawGravity(context, this.camera, first.drawing.gravity, colours);
    if (this.space && !isSchematic(first.drawing)) drawTriad(context, this.camera, colours);
  }

  // For tests and for the curious: what is drawn, and where it can be gripped.
  private report(first: Figure, scales: Scales) {
    const { root } = this.layers;
    note(root, 'ready', 'true');
    note(root, 'kind', first.drawing.dimension === 3 ? 'space' : 'plane');
    const write = (name: string, at: Pixel | undefined) => {
      if (!at) return;
      note(root, `${name}X`, at[0].toFixed(1));
      note(root, `${name}Y`, at[1].toFixed(1));
    };
    const grip = firstGrip(first.drawing);
    if (grip) write('body', this.camera.project(grip));
    write('tip', velocityTips(first, this.camera, scales)[0]?.at);
  }

  private scales(): Scales {
    return this.frozen ?? (this.steady = scalesOf(this.shown.figures, this.camera, this.steady));
  }

  private tips(scales: Scales): { contact: number; at: Pixel }[] {
    const first = this.shown.figures[0];
    if (!first || !this.shown.onDragVelocity) return [];
    return velocityTips(first, this.camera, scales).filter((one) => this.shown.canDragVelocity?.(one.contact) ?? true);
  }

  private tipUnder(pointer: Pixel): number | null {
    const near = this.tips(this.scales()).find(({ at }) => Math.hypot(at[0] - pointer[0], at[1] - pointer[1]) <= reach + 2);
    return near ? near.contact : null;
  }

  grip(pointer: Pixel): Held | null {
    const contact = this.tipUnder(pointer);
    if (contact !== null) return this.heldVelocity(contact);
    const first = this.shown.figures[0];
    const hit = first && this.shown.onDrag ? bodyUnder(first.drawing, this.camera, pointer) : null;
    if (!hit) return null;
    // The body does not jump to the pointer: the few pixels between the two are kept.
    const offset = minus(hit.place, this.camera.unproject(pointer, hit.place));
    const move = (at: Pixel) => this.shown.onDrag?.(hit.grip, plus(this.camera.unproject(at, hit.place), 1, offset));
    this.pulled = true;
    return { move, cursor: 'grabbing', release: () => this.release() };
  }

  private release() {
    this.pulled = false;
    this.frozen = null;
    this.draw();
  }

  private heldVelocity(contact: number): Held {
    const scales = (this.frozen = this.scales());
    this.pulled = true;
    return {
      cursor: 'grabbing',
      move: (pointer) => {
        const place = this.shown.figures[0]?.drawing.contacts[contact];
        const u_t = place && slipUnder(this.camera, place, pointer, pixelsPer(scales.velocity));
        if (!u_t) return;
        // Rest is a case of its own, which no hand would hit exactly.
        const rest = Math.hypot(...u_t) * pixelsPer(scales.velocity) < restWithin;
        this.shown.onDragVelocity?.(contact, rest ? u_t.map(() => 0) : u_t);
      },
      release: () => this.release(),
    };
  }

  hover(pointer: Pixel): string {
    if (this.tipUnder(pointer) !== null) return 'grab';
    const first = this.shown.figures[0];
    return first && this.shown.onDrag && bodyUnder(first.drawing, this.camera, pointer) ? 'grab' : '';
  }

  moveCamera(dx: number, dy: number, pan: boolean) {
    if (this.camera.space && !pan) this.camera.turn(dx, dy);
    else this.camera.pan(dx, dy);
    this.untouched = false;
    this.draw();
  }

  zoom(factor: number, about: Pixel) {
    this.camera.zoom(factor, about);
    this.untouched = false;
    this.draw();
  }

  fit() {
    this.fitted = '';
    this.draw();
  }
}
