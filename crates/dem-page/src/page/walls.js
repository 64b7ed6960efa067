// Walls: all triangles in one buffer, drawn opaque or translucent by two lists of indices. The pose of each comes from a texture. Facets whose loads and wear are
// known may be coloured by them.
import { BufferAttribute, BufferGeometry, DataTexture, DoubleSide, DynamicDrawUsage, FloatType, GLSL3, Mesh, NearestFilter, RawShaderMaterial, RGBAFormat } from 'three';
import { ROWS } from 'dem/colours';

export const PLACED = `
uniform sampler2D poses;
vec3 placed(vec3 position, float row) {
  vec4 whole = vec4(position, 1.0);
  int k = int(row + 0.5);
  return vec3(dot(texelFetch(poses, ivec2(0, k), 0), whole), dot(texelFetch(poses, ivec2(1, k), 0), whole), dot(texelFetch(poses, ivec2(2, k), 0), whole));
}`;

const VERTEX = `
precision highp float;
precision highp int;
in vec3 position;
in float row;
in float moves;
in float value;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform bool isTranslucent;
uniform float reach;
${PLACED}
out vec3 place;
flat out float driven;
flat out float amount;
void main() {
  amount = value;
  place = (viewMatrix * vec4(placed(position, row), 1.0)).xyz;
  driven = moves;
  gl_Position = projectionMatrix * vec4(place, 1.0);
  if (isTranslucent) {
    // spheres that touch a round wall reach through the flat triangles that it is drawn with
    vec4 nearer = projectionMatrix * vec4(place.xy, place.z + 0.004 * reach, 1.0);
    if (nearer.w > 0.0) gl_Position.z = nearer.z / nearer.w * gl_Position.w;
  }
}`;

const FRAGMENT = `
precision highp float;
in vec3 place;
flat in float driven;
flat in float amount;
uniform sampler2D colours;
uniform vec2 facetRange;
uniform bool showsFacets;
uniform bool isOrthographic;
uniform bool isTranslucent;
uniform bool isLight;
uniform vec4 cut;
out vec4 result;
void main() {
  if (dot(cut.xyz, place) + cut.w > 0.0) discard;
  vec3 ray = isOrthographic ? vec3(0.0, 0.0, -1.0) : normalize(place);
  vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
  if (dot(normal, ray) > 0.0) normal = -normal;
  float facing = -dot(normal, ray);
  vec3 colour = driven > 0.5 ? vec3(0.84, 0.62, 0.36) : vec3(0.68, 0.72, 0.77);
  bool isValued = showsFacets && !isnan(amount);
  float glaze = 1.0;
  if (isValued) {
    float part = facetRange.y > facetRange.x ? clamp((amount - facetRange.x) / (facetRange.y - facetRange.x), 0.0, 1.0) : 0.5;
    colour = texelFetch(colours, ivec2(int(part * 255.0 + 0.5), ${ROWS.continuous}), 0).rgb;
    // what bears more hides more of what lies behind it
    glaze = mix(0.25, 0.85, part);
  }
  if (isTranslucent && isValued) {
    result = vec4(colour, glaze);
  } else if (isTranslucent) {
    vec3 glass = isLight ? 0.55 * colour : colour;
    result = vec4(glass, mix(0.38, 0.09, smoothstep(0.0, 0.6, facing)));
  } else {
    result = vec4(colour * (0.40 + 0.60 * max(dot(normal, vec3(-0.36, 0.52, 0.775)), 0.0)), 1.0);
  }
}`;

export class Walls {
  constructor(walls, facets, corners, colours, shared) {
    this.walls = walls;
    this.facets = facets;
    this.facetUniforms = { colours: { value: colours.texture }, facetRange: { value: [0, 1] }, showsFacets: { value: false } };
    const vertices = corners.length / 3;
    const [rows, moves] = [new Float32Array(vertices), new Float32Array(vertices)];
    this.starts = [];
    walls.reduce((start, wall, k) => {
      this.starts.push(start);
      // row 0 is space itself
      rows.fill(k + 1, start, start + 3 * wall.triangles);
      moves.fill(wall.is_moving ? 1 : 0, start, start + 3 * wall.triangles);
      return start + 3 * wall.triangles;
    }, 0);
    this.poses = new Float32Array(12 * (walls.length + 1));
    this.poses.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
    this.texture = new DataTexture(this.poses, 3, walls.length + 1, RGBAFormat, FloatType);
    this.texture.minFilter = this.texture.magFilter = NearestFilter;
    const attributes = { position: new BufferAttribute(corners, 3), row: new BufferAttribute(rows, 1), moves: new BufferAttribute(moves, 1) };
    this.values = new BufferAttribute(new Float32Array(vertices).fill(NaN), 1).setUsage(DynamicDrawUsage);
    attributes.value = this.values;
    this.meshes = [false, true].map((isTranslucent) => {
      const geometry = new BufferGeometry();
      for (const [name, attribute] of Object.entries(attributes)) geometry.setAttribute(name, attribute);
      const uniforms = { ...shared, ...this.facetUniforms, poses: { value: this.texture }, isTranslucent: { value: isTranslucent } };
      const options = { glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, side: DoubleSide };
      const material = new RawShaderMaterial({ ...options, transparent: isTranslucent, depthWrite: !isTranslucent, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 2 });
      const mesh = new Mesh(geometry, material);
      mesh.frustumCulled = false;
      mesh.renderOrder = isTranslucent ? 2 : 0;
      return mesh;
    });
  }

  // Shows each wall as the list says: opaque, translucent or hidden.
  show(styles) {
    this.meshes.forEach((mesh, k) => {
      const wanted = k === 0 ? 'opaque' : 'translucent';
      const indices = [];
      this.walls.forEach((wall, number) => {
        if (styles[number] !== wanted) return;
        for (let v = 0; v < 3 * wall.triangles; v++) indices.push(this.starts[number] + v);
      });
      mesh.geometry.setIndex(new BufferAttribute(new Uint32Array(indices), 1));
      mesh.visible = indices.length > 0;
    });
  }

  // Colours facets by values in the order of their rows, or no longer.
  colour(values, range) {
    this.facetUniforms.showsFacets.value = values !== undefined;
    if (!values) return;
    this.facetUniforms.facetRange.value = range;
    let row = 0;
    for (const wall of this.facets.walls) {
      const [start, triangles] = [this.starts[wall], this.walls[wall].triangles];
      for (let k = 0; k < triangles; k++, row++) this.values.array.fill(values[row] ?? NaN, start + 3 * k, start + 3 * k + 3);
    }
    this.values.needsUpdate = true;
  }

  // Takes the walls to where they are; one that is not there shrinks to nothing.
  place(places) {
    places.forEach(({ active, position, orientation: [x, y, z, w] }, k) => {
      const s = active ? 1 : 0;
      this.poses.set([
        s * (1 - 2 * (y * y + z * z)), s * 2 * (x * y - z * w), s * 2 * (x * z + y * w), s * position[0],
        s * 2 * (x * y + z * w), s * (1 - 2 * (x * x + z * z)), s * 2 * (y * z - x * w), s * position[1],
        s * 2 * (x * z - y * w), s * 2 * (y * z + x * w), s * (1 - 2 * (x * x + y * y)), s * position[2],
      ], 12 * (k + 1));
    });
    this.texture.needsUpdate = true;
  }

  // Corners of a wall where it is placed now.
  cornersOf(k, corners) {
    const m = this.poses.subarray(12 * (k + 1), 12 * (k + 2));
    const placed = corners.slice(3 * this.starts[k], 3 * (this.starts[k] + 3 * this.walls[k].triangles));
    for (let at = 0; at < placed.length; at += 3) {
      const [x, y, z] = placed.subarray(at, at + 3);
      for (let row = 0; row < 3; row++) placed[at + row] = m[4 * row] * x + m[4 * row + 1] * y + m[4 * row + 2] * z + m[4 * row + 3];
    }
    return placed;
  }

  // Calls `visit` with each corner in space of the walls that are there.
  visit(places, corners, visit) {
    this.place(places);
    this.walls.forEach((_, k) => {
      if (!places[k]?.active) return;
      const placed = this.cornersOf(k, corners);
      for (let at = 0; at < placed.length; at += 3) visit(placed[at], placed[at + 1], placed[at + 2]);
    });
  }
}
