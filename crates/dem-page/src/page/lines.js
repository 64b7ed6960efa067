// Edges of the cell and of the walls, in one call.
import { BufferAttribute, BufferGeometry, EdgesGeometry, GLSL3, LineSegments, RawShaderMaterial } from 'three';
import { PLACED } from 'dem/walls';

// Angle between two triangles beyond which their common edge is drawn [degree].
const CREASE = 25;
// Ends of the edges of a cell.
const CELL = 24;

const VERTEX = `
precision highp float;
precision highp int;
in vec3 position;
in float row;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
${PLACED}
out vec3 place;
void main() {
  place = (viewMatrix * vec4(placed(position, row), 1.0)).xyz;
  gl_Position = projectionMatrix * vec4(place, 1.0);
}`;

const FRAGMENT = `
precision highp float;
in vec3 place;
uniform bool isLight;
uniform vec4 cut;
out vec4 result;
void main() {
  if (dot(cut.xyz, place) + cut.w > 0.0) discard;
  result = vec4(isLight ? vec3(0.36, 0.40, 0.45) : vec3(0.62, 0.66, 0.70), 1.0);
}`;

const edgesOf = (corners) => {
  const triangles = new BufferGeometry();
  triangles.setAttribute('position', new BufferAttribute(corners, 3));
  return new EdgesGeometry(triangles, CREASE).getAttribute('position').array;
};

export class Lines {
  constructor(walls, corners, shared) {
    this.ranges = [];
    const parts = [];
    let vertices = CELL;
    for (const [k, wall] of walls.walls.entries()) {
      const part = edgesOf(corners.subarray(3 * walls.starts[k], 3 * (walls.starts[k] + 3 * wall.triangles)));
      this.ranges.push([vertices, part.length / 3]);
      vertices += part.length / 3;
      parts.push(part);
    }
    const [positions, rows] = [new Float32Array(3 * vertices), new Float32Array(vertices)];
    this.ranges.forEach(([start, count], k) => {
      positions.set(parts[k], 3 * start);
      rows.fill(k + 1, start, start + count);
    });
    this.geometry = new BufferGeometry();
    this.geometry.setAttribute('position', new BufferAttribute(positions, 3));
    this.geometry.setAttribute('row', new BufferAttribute(rows, 1));
    const uniforms = { ...shared, poses: { value: walls.texture } };
    this.mesh = new LineSegments(this.geometry, new RawShaderMaterial({ glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms }));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1;
    this.styles = [];
    this.hasCell = false;
    this.showsCell = true;
  }

  // Edges of the walls that are seen, and of the cell.
  show(styles, showsCell) {
    this.styles = styles;
    this.showsCell = showsCell;
    const indices = this.hasCell && showsCell ? [...Array(CELL).keys()] : [];
    this.ranges.forEach(([start, count], k) => {
      if (styles[k] === 'hidden') return;
      for (let v = 0; v < count; v++) indices.push(start + v);
    });
    this.geometry.setIndex(new BufferAttribute(new Uint32Array(indices), 1));
    this.mesh.visible = indices.length > 0;
  }

  placeCell(cell) {
    if (cell) {
      const [origin, ...edges] = cell;
      const corner = (k) => [0, 1, 2].map((axis) => origin[axis] + edges.reduce((sum, edge, e) => sum + ((k >> e) & 1 ? edge[axis] : 0), 0));
      const ends = [0, 1, 2].flatMap((axis) => [...Array(8).keys()].filter((k) => !((k >> axis) & 1)).flatMap((k) => [corner(k), corner(k | (1 << axis))]));
      const attribute = this.geometry.getAttribute('position');
      attribute.array.set(ends.flat());
      attribute.needsUpdate = true;
    }
    if (this.hasCell !== Boolean(cell)) {
      this.hasCell = Boolean(cell);
      this.show(this.styles, this.showsCell);
    }
  }
}
