// Many quads in one draw call. What a quad is made from stands in a texture, a texel or more for each; its vertices know nothing but their number. Instances
// would do as well on a graphics card, but software draws them one by one, which takes it longer than all the rest.
import { BufferAttribute, BufferGeometry, DataTexture, DynamicDrawUsage, FloatType, NearestFilter, RedFormat, RGBAFormat, StaticDrawUsage } from 'three';

// Texels of a row, a power of two that every browser can do.
const WIDTH = 2048;

// Numbers by rows of one or four, as a texture.
export class Table {
  constructor(numbers) {
    this.numbers = numbers;
    this.texture = new DataTexture(new Float32Array(numbers), 1, 1, numbers === 4 ? RGBAFormat : RedFormat, FloatType);
    this.texture.minFilter = this.texture.magFilter = NearestFilter;
    this.texture.needsUpdate = true;
  }

  fill(numbers) {
    const image = this.texture.image;
    const rows = Math.max(Math.ceil(numbers.length / (this.numbers * WIDTH)), 1);
    if (image.width !== WIDTH || image.height < rows) {
      const height = image.width === WIDTH ? Math.max(rows, Math.ceil(1.5 * image.height)) : rows;
      // what the graphics card holds of a smaller one goes
      this.texture.dispose();
      Object.assign(image, { data: new Float32Array(this.numbers * WIDTH * height), width: WIDTH, height });
    }
    image.data.set(numbers);
    this.texture.needsUpdate = true;
  }
}

export class Quads {
  // Which quad and which of its corners a vertex is, and where the texel of a row is.
  static CORNER = `
int row() { return gl_VertexID >> 2; }
vec2 corner() { return vec2(float(gl_VertexID & 1), float((gl_VertexID >> 1) & 1)) * 2.0 - 1.0; }
ivec2 texel(int k) { return ivec2(k & ${WIDTH - 1}, k >> ${Math.log2(WIDTH)}); }`;

  // `changes` if other quads are drawn in every picture.
  constructor(changes = false) {
    this.geometry = new BufferGeometry();
    this.usage = changes ? DynamicDrawUsage : StaticDrawUsage;
    this.room = 0;
    this.#makeRoom(1);
  }

  #makeRoom(count) {
    if (count <= this.room) return;
    this.room = Math.max(count, Math.ceil(1.5 * this.room));
    this.geometry.dispose();
    this.index = new BufferAttribute(new Uint32Array(6 * this.room), 1);
    this.index.setUsage(this.usage);
    this.geometry.setIndex(this.index);
    this.#fill(this.room, (k) => k);
  }

  #fill(count, rowAt) {
    const index = this.index.array;
    for (let k = 0, to = 0; k < count; k++) {
      const first = 4 * rowAt(k);
      index[to++] = first;
      index[to++] = first + 1;
      index[to++] = first + 2;
      index[to++] = first + 2;
      index[to++] = first + 1;
      index[to++] = first + 3;
    }
    this.index.clearUpdateRanges();
    this.index.addUpdateRange(0, 6 * count);
    this.index.needsUpdate = true;
  }

  // Draws those of all rows up to a number.
  all(count) {
    this.#makeRoom(count);
    this.geometry.setDrawRange(0, 6 * count);
  }

  // Draws those of some rows, in their order.
  some(rows) {
    this.#makeRoom(rows.length);
    this.#fill(rows.length, (k) => rows[k]);
    this.geometry.setDrawRange(0, 6 * rows.length);
  }
}
