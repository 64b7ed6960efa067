// Spheres: a quad for each, on which the ray through a pixel meets the sphere.
import { GLSL3, Mesh, RawShaderMaterial } from 'three';
import { ROWS } from 'dem/colours';
import { Quads, Table } from 'dem/quads';
import { Sight } from 'dem/sight';

// What a fragment needs of its sphere is worked out for the corners: with software rendering the picture takes as long as its fragments. Within the outline a
// sphere is drawn as if seen from afar, in the direction in which its centre lies.
const VERTEX = `
precision highp float;
precision highp int;
uniform sampler2D placed;
uniform sampler2D values;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform float scale;
uniform vec2 range;
uniform bool isCategorical;
uniform bool isOrthographic;
uniform int selected;
uniform vec4 cut;
uniform sampler2D colours;
const vec3 LIGHT = vec3(-0.36, 0.52, 0.775);
out vec2 across;
flat out vec4 colour;
flat out vec3 light;
flat out vec3 shine;
flat out vec3 depth;
flat out float far;
flat out vec4 plane;

vec3 colourOf(float value) {
  if (isnan(value)) return vec3(0.55);
  if (isCategorical) return texelFetch(colours, ivec2(int(mod(value + 0.5, 8.0)), ${ROWS.categories}), 0).rgb;
  float part = range.y > range.x ? clamp((value - range.x) / (range.y - range.x), 0.0, 1.0) : 0.5;
  return texelFetch(colours, ivec2(int(part * 255.0 + 0.5), ${ROWS.continuous}), 0).rgb;
}

${Quads.CORNER}
void main() {
  int k = row();
  vec2 corner = corner();
  vec4 sphere = texelFetch(placed, texel(k), 0);
  float value = texelFetch(values, texel(k), 0).r;
  vec3 centre = (viewMatrix * vec4(sphere.xyz, 1.0)).xyz;
  float radius = sphere.w * scale;
  float square = dot(centre, centre);
  vec3 ahead = isOrthographic ? vec3(0.0, 0.0, 1.0) : -centre * inversesqrt(max(square, 1e-30));
  vec3 right = normalize(cross(abs(ahead.y) < 0.99 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), ahead));
  vec3 up = cross(ahead, right);
  // the outline as seen in perspective is a little larger than the sphere
  float stretch = isOrthographic ? 1.0 : sqrt(square / max(square - radius * radius, 0.02 * square));
  across = corner;
  colour = vec4(colourOf(value), k == selected ? 1.0 : 0.0);
  mat3 turned = transpose(mat3(right, up, ahead));
  light = turned * LIGHT;
  shine = turned * normalize(LIGHT + ahead);
  depth = radius * vec3(right.z, up.z, ahead.z);
  far = centre.z;
  // distance from the plane of the cut, in radii
  plane = vec4(turned * cut.xyz, (dot(cut.xyz, centre) + cut.w) / max(radius, 1e-30));
  gl_Position = projectionMatrix * vec4(centre + radius * stretch * (corner.x * right + corner.y * up), 1.0);
}`;

const FRAGMENT = `
precision highp float;
precision highp int;
in vec2 across;
flat in vec4 colour;
flat in vec3 light;
flat in vec3 shine;
flat in vec3 depth;
flat in float far;
flat in vec4 plane;
uniform mat4 projectionMatrix;
uniform bool isFaint;
uniform bool hasCut;
out vec4 result;

void main() {
#ifdef SMOOTH
  float rim = length(across);
  float cover = min((1.0 - rim) / fwidth(rim) + 0.5, 1.0);
  if (cover <= 0.0) discard;
  float rest = max(1.0 - rim * rim, 0.0);
#else
  const float cover = 1.0;
  float rest = 1.0 - dot(across, across);
  if (rest < 0.0) discard;
#endif
  vec3 normal = vec3(across, sqrt(rest));
  vec3 shade;
  float z = far + dot(depth, normal);
  if (hasCut && dot(plane.xyz, normal) + plane.w > 0.0) {
    // the face that the cut leaves, if the ray passes it within the sphere
    float at = -(dot(plane.xy, across) + plane.w) / plane.z;
    if (!(plane.z > 0.0 && at < normal.z && at > -normal.z)) discard;
    z = far + dot(depth, vec3(across, at));
    shade = colour.rgb * (0.42 + 0.58 * max(dot(plane.xyz, light), 0.0));
  } else {
    float s = max(dot(normal, shine), 0.0);
    s *= s; s *= s; s *= s; s *= s; s *= s;
    shade = colour.rgb * ((0.42 + 0.58 * max(dot(normal, light), 0.0)) * min(0.62 + 0.69 * normal.z, 1.0)) + 0.1 * s;
  }
  if (colour.a > 0.0 && normal.z < 0.55) shade = vec3(1.0, 0.15, 0.45);
  else if (isFaint && fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) > 0.14) discard;
  result = vec4(shade, cover);
  gl_FragDepth = 0.5 + 0.5 * (projectionMatrix[2][2] * z + projectionMatrix[3][2]) / (projectionMatrix[2][3] * z + projectionMatrix[3][3]);
}`;

export class Spheres {
  // `isSoftware` if the processor draws, which is spared the spheres that others hide.
  constructor(colours, shared, isSoftware) {
    this.quads = new Quads(isSoftware);
    this.tables = { placed: new Table(4), values: new Table(1) };
    this.uniforms = {
      ...shared,
      placed: { value: this.tables.placed.texture },
      values: { value: this.tables.values.texture },
      colours: { value: colours.texture },
      scale: { value: 1 },
      range: { value: [0, 1] },
      isCategorical: { value: false },
      isFaint: { value: false },
      selected: { value: -1 },
    };
    const material = new RawShaderMaterial({ glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: this.uniforms });
    if (!isSoftware) {
      // outlines are smooth where a pixel has several samples
      material.defines = { SMOOTH: 1 };
      material.alphaToCoverage = true;
    }
    this.mesh = new Mesh(this.quads.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    this.sight = isSoftware ? new Sight() : undefined;
    this.count = 0;
    this.isShown = true;
  }

  place(spheres) {
    this.placed = spheres;
    this.count = spheres.length / 4;
    this.tables.placed.fill(spheres);
    this.quads.all(this.count);
    this.#update();
  }

  colour(values, range, isCategorical) {
    this.tables.values.fill(values);
    this.uniforms.range.value = range;
    this.uniforms.isCategorical.value = isCategorical;
  }

  show(how) {
    this.isShown = how !== 'hidden';
    this.uniforms.isFaint.value = how === 'faint';
    this.#update();
  }

  // Chooses what is drawn in a picture of some pixels.
  prepare(camera, width, height) {
    if (!this.sight || !this.mesh.visible) return;
    const { scale, cut, isOrthographic, isFaint } = this.uniforms;
    const eye = { view: camera.matrixWorldInverse.elements, projection: camera.projectionMatrix.elements, near: camera.near, isOrthographic: isOrthographic.value };
    const rows = this.sight.rows(this.placed, scale.value, eye, cut.value, width, height, !isFaint.value);
    this.quads.some(rows);
  }

  #update() {
    this.mesh.visible = this.isShown && this.count > 0;
  }
}
