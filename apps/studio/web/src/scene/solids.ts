// Solids, faces and lines of three, made anew for every frame from geometries and materials that are kept.
import {
  AmbientLight, BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide, Group, LineBasicMaterial, LineSegments, Mesh,
  MeshBasicMaterial, MeshLambertMaterial, Scene, type Material, type Matrix4,
} from 'three';
import type { Place } from '../types';
import type { Camera } from './camera';
import { plus } from './places';

export class Solids {
  readonly scene = new Scene();
  private readonly group = new Group();
  private readonly light = new DirectionalLight(0xffffff, 2.1);
  private readonly materials = new Map<string, Material>();
  private readonly kept: BufferGeometry[] = [];
  private readonly passing: BufferGeometry[] = [];  // made for one frame

  constructor() {
    this.scene.add(new AmbientLight(0xffffff, 1.5), this.light, this.group);
  }

  dispose() {
    this.clear();
    for (const geometry of this.kept) geometry.dispose();
    for (const material of this.materials.values()) material.dispose();
  }

  protected keep<T extends BufferGeometry>(geometry: T): T {
    this.kept.push(geometry);
    return geometry;
  }

  protected clear() {
    this.group.clear();
    for (const geometry of this.passing.splice(0)) geometry.dispose();
  }

  // From above the left shoulder of whoever looks, so that no side is ever black.
  protected lightFrom(camera: Camera) {
    this.light.position.set(...plus(plus(camera.toward, 0.5, camera.up), -0.6, camera.right));
  }

  protected solid(colour: string, opacity: number): Material {
    const make = () => new MeshLambertMaterial({ color: new Color(colour), opacity, transparent: opacity < 1, side: DoubleSide });
    return this.material(`solid ${colour} ${opacity}`, make);
  }

  // Without light, without hiding what is behind.
  protected veil(colour: string, opacity: number): Material {
    const make = () => new MeshBasicMaterial({ color: new Color(colour), opacity, transparent: true, side: DoubleSide, depthWrite: false });
    return this.material(`veil ${colour} ${opacity}`, make);
  }

  protected pencil(colour: string, opacity: number): Material {
    return this.material(`line ${colour} ${opacity}`, () => new LineBasicMaterial({ color: new Color(colour), opacity, transparent: opacity < 1 }));
  }

  private material(key: string, make: () => Material): Material {
    let found = this.materials.get(key);
    if (!found) this.materials.set(key, (found = make()));
    return found;
  }

  protected add(geometry: BufferGeometry, material: Material, matrix?: Matrix4) {
    const mesh = new Mesh(geometry, material);
    mesh.matrixAutoUpdate = false;
    if (matrix) mesh.matrix.copy(matrix);
    mesh.frustumCulled = false;
    this.group.add(mesh);
  }

  protected lines(pairs: Place[], material: Material) {
    if (pairs.length === 0) return;
    const lines = new LineSegments(this.geometry(pairs), material);
    lines.frustumCulled = false;
    this.group.add(lines);
  }

  // Three corners for each triangle.
  protected addTriangles(corners: Place[], material: Material) {
    if (corners.length === 0) return;
    const geometry = this.geometry(corners);
    geometry.computeVertexNormals();
    this.add(geometry, material);
  }

  protected addFace(points: Place[], material: Material) {
    const corners: Place[] = [];
    for (let i = 1; i + 1 < points.length; ++i) corners.push(points[0]!, points[i]!, points[i + 1]!);
    this.addTriangles(corners, material);
  }

  private geometry(places: Place[]): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(places.flat()), 3));
    this.passing.push(geometry);
    return geometry;
  }
}
