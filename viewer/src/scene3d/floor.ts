import * as THREE from "three";

const CELLS = 100; // from end to end
const HIGH = 60; // cells above the floor, beyond which it is not seen
const STOREY = 20; // cells between floors that pass by instead

const vertex = /* glsl */ `
#include <common>
#include <logdepthbuf_pars_vertex>
varying vec2 at;
void main() {
  at = position.xz;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  #include <logdepthbuf_vertex>
}`;
// lines of one pixel, which fade where squares get smaller than a few pixels, and at the end of the floor
const fragment = /* glsl */ `
#include <common>
#include <logdepthbuf_pars_fragment>
uniform vec3 colour;
varying vec2 at;
void main() {
  #include <logdepthbuf_fragment>
  vec2 w = max(fwidth(at), 1e-6);
  vec2 near = 1.0 - min(abs(fract(at - 0.5) - 0.5) / w, 1.0);
  vec2 small = clamp(0.35 / w - 0.35, 0.0, 1.0);
  float end = 1.0 - smoothstep(0.25, 1.0, length(at) / ${(CELLS / 2).toFixed(1)});
  float a = end * max(near.x * small.x, near.y * small.y);
  if (a < 0.01) discard;
  gl_FragColor = vec4(colour, a);
  #include <colorspace_fragment>
}`;

/** Squares on the ground, drawn as one quad: hundreds of lines cost more than all else without a graphics card. */
export class Floor {
  readonly mesh: THREE.Mesh;
  private readonly material: THREE.ShaderMaterial;
  private readonly turn: THREE.Quaternion;
  private height = 0;

  constructor(up: THREE.Vector3, private readonly cell: number) {
    this.turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), up);
    this.material = new THREE.ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: fragment,
      uniforms: { colour: { value: new THREE.Color() } },
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
    });
    const plane = new THREE.PlaneGeometry(CELLS, CELLS).rotateX(-Math.PI / 2);
    this.mesh = new THREE.Mesh(plane, this.material);
    this.mesh.quaternion.copy(this.turn);
    this.mesh.scale.setScalar(cell);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -1;
    const shade = new THREE.Mesh(plane, new THREE.ShadowMaterial({ opacity: 0.28, depthWrite: false }));
    shade.receiveShadow = true;
    shade.frustumCulled = false;
    shade.renderOrder = -2;
    this.mesh.add(shade);
  }
  colour(c: string): void {
    (this.material.uniforms.colour!.value as THREE.Color).set(c);
  }
  setHeight(height: number): void {
    this.height = height;
  }
  /** The floor, or high above it one of those that show how fast it goes up or down. */
  private storey(height: number): number {
    const above = height - this.height;
    const step = STOREY * this.cell;
    return above < HIGH * this.cell ? this.height : this.height + Math.floor((above - 0.25 * step) / step) * step;
  }
  /** Goes along in whole squares, so that it has no end. */
  place(target: THREE.Vector3): void {
    const { cell } = this;
    const at = target.clone().applyQuaternion(this.turn.clone().invert());
    at.set(Math.round(at.x / cell) * cell, this.storey(at.y), Math.round(at.z / cell) * cell);
    this.mesh.position.copy(at.applyQuaternion(this.turn));
  }
}
