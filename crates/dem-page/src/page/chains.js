// Force chains: a ribbon for each contact that turns to the eye and is shaded like a cylinder; width and colour by the normal force.
import { GLSL3, Mesh, RawShaderMaterial } from 'three';
import { ROWS } from 'dem/colours';
import { Quads, Table } from 'dem/quads';

const VERTEX = `
precision highp float;
precision highp int;
uniform sampler2D contacts;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform bool isOrthographic;
uniform float largest;
uniform float least;
uniform float width;
uniform sampler2D colours;
out vec3 place;
out float across;
flat out vec3 colour;
${Quads.CORNER}
void main() {
  int k = row();
  vec2 corner = corner();
  // two texels: begin and force, end
  vec4 first = texelFetch(contacts, texel(2 * k), 0);
  vec3 end = texelFetch(contacts, texel(2 * k + 1), 0).xyz;
  float force = first.w;
  float part = clamp(abs(force) / largest, 0.0, 1.0);
  vec3 a = (viewMatrix * vec4(first.xyz, 1.0)).xyz;
  vec3 b = (viewMatrix * vec4(end, 1.0)).xyz;
  place = mix(a, b, 0.5 * corner.y + 0.5);
  vec3 ahead = isOrthographic ? vec3(0.0, 0.0, 1.0) : -normalize(place);
  vec3 side = cross(b - a, ahead);
  float thick = abs(force) < least ? 0.0 : width * (0.06 + 0.94 * part);
  place += thick * corner.x * side * inversesqrt(max(dot(side, side), 1e-30));
  across = corner.x;
  colour = force < 0.0 ? vec3(0.25, 0.55, 0.95) : texelFetch(colours, ivec2(int(70.0 + 170.0 * part), ${ROWS.forces}), 0).rgb;
  gl_Position = projectionMatrix * vec4(place, 1.0);
}`;

const FRAGMENT = `
precision highp float;
in vec3 place;
in float across;
flat in vec3 colour;
uniform vec4 cut;
out vec4 result;
void main() {
  if (dot(cut.xyz, place) + cut.w > 0.0) discard;
  result = vec4(colour * (0.45 + 0.55 * sqrt(max(1.0 - across * across, 0.0))), 1.0);
}`;

export class Chains {
  constructor(colours, shared) {
    this.quads = new Quads();
    this.table = new Table(4);
    this.uniforms = { ...shared, contacts: { value: this.table.texture }, colours: { value: colours.texture }, largest: { value: 1 }, least: { value: 0 }, width: { value: 1 } };
    const material = new RawShaderMaterial({ glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: this.uniforms, side: 2 });
    this.mesh = new Mesh(this.quads.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  place(contacts, largest, least, width) {
    this.table.fill(contacts);
    this.quads.all(contacts.length / 8);
    this.uniforms.largest.value = largest > 0 ? largest : 1;
    this.uniforms.least.value = least;
    this.uniforms.width.value = width;
    this.mesh.visible = contacts.length > 0;
  }

  hide() {
    this.mesh.visible = false;
  }
}
