// Spheres: a quad for each, on which the ray through a pixel meets the sphere.
import { BufferAttribute, DynamicDrawUsage, GLSL3, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, RawShaderMaterial } from 'three';
import { ROWS } from 'dem/colours';

const VERTEX = `
precision highp float;
precision highp int;
in vec2 corner;
in vec4 sphere;
in float value;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform float scale;
uniform vec2 range;
uniform bool isCategorical;
uniform bool isOrthographic;
uniform int selected;
uniform sampler2D colours;
out vec3 place;
flat out vec3 centre;
flat out float radius;
flat out vec3 colour;
flat out float mark;

vec3 colourOf(float value) {
  if (isnan(value)) return vec3(0.55);
  if (isCategorical) return texelFetch(colours, ivec2(int(mod(value + 0.5, 8.0)), ${ROWS.categories}), 0).rgb;
  float part = range.y > range.x ? clamp((value - range.x) / (range.y - range.x), 0.0, 1.0) : 0.5;
  return texelFetch(colours, ivec2(int(part * 255.0 + 0.5), ${ROWS.continuous}), 0).rgb;
}

void main() {
  centre = (viewMatrix * vec4(sphere.xyz, 1.0)).xyz;
  radius = sphere.w * scale;
  float square = dot(centre, centre);
  vec3 ahead = isOrthographic ? vec3(0.0, 0.0, 1.0) : -centre * inversesqrt(max(square, 1e-30));
  // the outline as seen in perspective is a little larger than the sphere
  float stretch = isOrthographic ? 1.0 : sqrt(square / max(square - radius * radius, 0.02 * square));
  vec3 right = normalize(cross(abs(ahead.y) < 0.99 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), ahead));
  place = centre + radius * stretch * (corner.x * right + corner.y * cross(ahead, right));
  colour = colourOf(value);
  mark = gl_InstanceID == selected ? 1.0 : 0.0;
  gl_Position = projectionMatrix * vec4(place, 1.0);
}`;

const FRAGMENT = `
precision highp float;
precision highp int;
in vec3 place;
flat in vec3 centre;
flat in float radius;
flat in vec3 colour;
flat in float mark;
uniform mat4 projectionMatrix;
uniform bool isOrthographic;
uniform bool isFaint;
uniform vec4 cut;
out vec4 result;

void main() {
  vec3 eye = isOrthographic ? vec3(place.xy, 0.0) : vec3(0.0);
  vec3 ray = isOrthographic ? vec3(0.0, 0.0, -1.0) : normalize(place);
  float middle = dot(ray, centre - eye);
  vec3 off = centre - eye - middle * ray;
  float half2 = radius * radius - dot(off, off);
  if (half2 < 0.0) discard;
  float half1 = sqrt(half2);
  float at = middle - half1;
  vec3 hit = eye + at * ray;
  vec3 normal = (hit - centre) / radius;
  float cap = 0.0;
  if (dot(cut.xyz, hit) + cut.w > 0.0) {
    // the face that the cut leaves, if the ray passes it within the sphere
    float along = dot(cut.xyz, ray);
    float plane = -(dot(cut.xyz, eye) + cut.w) / along;
    if (!(along < 0.0 && plane > at && plane < middle + half1)) discard;
    hit = eye + plane * ray;
    normal = normalize(cut.xyz);
    cap = 1.0;
  }
  if (isFaint && fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) > 0.14 && mark == 0.0) discard;
  float facing = max(-dot(normal, ray), 0.0);
  float light = 0.42 + 0.58 * max(dot(normal, vec3(-0.36, 0.52, 0.775)), 0.0);
  vec3 shade = colour * light * mix(0.62 + 0.38 * smoothstep(0.0, 0.55, facing), 1.0, cap);
  shade += 0.10 * pow(max(dot(normal, normalize(vec3(-0.36, 0.52, 0.775) - ray)), 0.0), 40.0) * (1.0 - cap);
  if (mark > 0.0 && (facing < 0.55 || cap > 0.0 && half1 < 0.5 * radius)) shade = vec3(1.0, 0.15, 0.45);
  result = vec4(shade, 1.0);
  vec2 clip = vec2(projectionMatrix[2][2] * hit.z + projectionMatrix[3][2], projectionMatrix[2][3] * hit.z + projectionMatrix[3][3]);
  gl_FragDepth = 0.5 * clip.x / clip.y + 0.5;
}`;

export class Spheres {
  constructor(colours, shared) {
    this.geometry = new InstancedBufferGeometry();
    this.geometry.setAttribute('corner', new BufferAttribute(new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), 2));
    this.geometry.setIndex([0, 1, 2, 2, 1, 3]);
    this.uniforms = {
      ...shared,
      colours: { value: colours.texture },
      scale: { value: 1 },
      range: { value: [0, 1] },
      isCategorical: { value: false },
      isFaint: { value: false },
      selected: { value: -1 },
    };
    const material = new RawShaderMaterial({ glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: this.uniforms });
    this.mesh = new Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    this.room = 0;
    this.count = 0;
    this.isShown = true;
  }

  #makeRoom(count) {
    if (count <= this.room) return;
    this.room = Math.max(count, Math.ceil(1.5 * this.room));
    // what the graphics card holds of shorter ones goes
    this.geometry.dispose();
    for (const [name, width] of [['sphere', 4], ['value', 1]]) {
      const attribute = new InstancedBufferAttribute(new Float32Array(width * this.room), width);
      attribute.setUsage(DynamicDrawUsage);
      this.geometry.setAttribute(name, attribute);
    }
  }

  #fill(name, numbers) {
    const attribute = this.geometry.getAttribute(name);
    if (!attribute) return;
    attribute.array.set(numbers);
    attribute.clearUpdateRanges();
    attribute.addUpdateRange(0, numbers.length);
    attribute.needsUpdate = true;
  }

  place(spheres) {
    this.count = spheres.length / 4;
    this.#makeRoom(this.count);
    this.#fill('sphere', spheres);
    this.geometry.instanceCount = this.count;
    this.#update();
  }

  colour(values, range, isCategorical) {
    this.#fill('value', values);
    this.uniforms.range.value = range;
    this.uniforms.isCategorical.value = isCategorical;
  }

  show(how) {
    this.isShown = how !== 'hidden';
    this.uniforms.isFaint.value = how === 'faint';
    this.#update();
  }

  #update() {
    this.mesh.visible = this.isShown && this.count > 0;
  }
}
