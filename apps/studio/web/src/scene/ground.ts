// The canvas below a picture of space, on which three renders its solids; words and arrows go onto the one above. It is
// rendered when somebody asks and never by itself. It lies in the page: to copy frames to another canvas would make the
// page wait for the graphics, which work beside it otherwise.
import { OrthographicCamera, Vector3, WebGLRenderer, type Scene } from 'three';
import type { Camera } from './camera';
import { plus } from './places';

export class Ground {
  private renderer: WebGLRenderer | null = null;
  private asked = false;

  constructor(private readonly canvas: HTMLCanvasElement) {}

  // False where this browser has no WebGL. `depth` [m]: everything lies within it around the target.
  render(scene: Scene, camera: Camera, depth: number, paper: string): boolean {
    if (!this.asked) this.open();
    if (!this.renderer) return false;
    this.canvas.hidden = false;
    const ratio = window.devicePixelRatio || 1;
    const [columns, rows] = [Math.round(camera.width * ratio), Math.round(camera.height * ratio)];
    if (this.canvas.width !== columns || this.canvas.height !== rows) this.renderer.setSize(columns, rows, false);
    this.renderer.setClearColor(paper, 1);
    this.renderer.render(scene, lens(camera, depth));
    return true;
  }

  hide() {
    this.canvas.hidden = true;
  }

  dispose() {
    this.renderer?.dispose();
    this.renderer?.forceContextLoss();
    this.renderer = null;
  }

  // The context is asked for by hand: three would write to the console where there is none.
  private open() {
    this.asked = true;
    // Kept after it was shown, for who exports the picture.
    const wanted: WebGLContextAttributes = { antialias: true, alpha: false, preserveDrawingBuffer: true };
    const context = this.canvas.getContext('webgl2', wanted);
    if (!context) return;
    this.renderer = new WebGLRenderer({ canvas: this.canvas, context, antialias: true, alpha: false, preserveDrawingBuffer: true });
  }
}

// The camera of three that sees what `camera` sees.
function lens(camera: Camera, depth: number): OrthographicCamera {
  const [x, y] = [camera.width / 2 / camera.scale, camera.height / 2 / camera.scale];
  const far = Math.max(depth, x, y) * 4;
  const three = new OrthographicCamera(-x, x, y, -y, 0, 2 * far);
  three.up.copy(new Vector3(...camera.up));
  three.position.copy(new Vector3(...plus(camera.target, far, camera.toward)));
  three.lookAt(new Vector3(...camera.target));
  return three;
}
