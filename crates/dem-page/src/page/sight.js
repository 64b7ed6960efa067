// Which spheres are seen: what lies outside the picture, in front of the cut or wholly behind others is not drawn. The picture is the same with and without;
// a processor that draws is done several times sooner, since few spheres of a heap are seen.

// Tiles across the outline of a sphere of middle size.
const ACROSS = 7;
// Tiles of a picture at most, and pixels of a tile at least.
const MOST = 400_000;
const LEAST = 1.5;
// Spheres by whose size tiles are chosen.
const SAMPLED = 200;
const LEVELS = 1 << 16;

export class Sight {
  constructor() {
    this.depths = new Float32Array(0);
    this.room = 0;
    this.starts = new Uint32Array(LEVELS + 1);
  }

  #makeRoom(count) {
    if (count <= this.room) return;
    this.room = count;
    // numbers of a sphere in tiles: place, radii of the discs within and about its outline, depths of its front and of the rim
    this.discs = new Float32Array(6 * count);
    this.owners = new Uint32Array(count);
    this.keys = new Uint16Array(count);
    this.order = new Uint32Array(count);
    this.seen = new Uint32Array(count);
  }

  // Rows of the spheres that are seen, from the eye on. Depths are coordinates of view space, larger nearer to the eye. `hides` if spheres hide others.
  rows(spheres, scale, eye, cut, width, height, hides) {
    const count = spheres.length / 4;
    this.#makeRoom(count);
    const [columns, lines] = this.#tiles(spheres, scale, eye, width, height);
    const found = this.#project(spheres, scale, eye, cut, columns, lines);
    this.#sort(found);
    const { discs, owners, order, seen } = this;
    if (this.depths.length < columns * lines) this.depths = new Float32Array(columns * lines);
    this.depths.fill(-Infinity);
    let shown = 0;
    for (let n = 0; n < found; n++) {
      const disc = 6 * order[n];
      if (hides && this.#isHidden(disc, columns, lines)) continue;
      seen[shown++] = owners[order[n]];
      if (hides && discs[disc + 2] > 0) this.#hide(disc, columns, lines);
    }
    return seen.subarray(0, shown);
  }

  // Counts of tiles along the sides of the picture, by the size of what is in it.
  #tiles(spheres, scale, { view, projection, isOrthographic }, width, height) {
    const sizes = [];
    const step = 4 * Math.max(Math.floor(spheres.length / 4 / SAMPLED), 1);
    for (let at = 0; at < spheres.length; at += step) {
      const z = view[2] * spheres[at] + view[6] * spheres[at + 1] + view[10] * spheres[at + 2] + view[14];
      if (isOrthographic || z < 0) sizes.push((spheres[at + 3] * scale * projection[5] * height) / (isOrthographic ? 1 : -z));
    }
    sizes.sort((a, b) => a - b);
    const across = sizes[sizes.length >> 1] ?? 8;
    const side = Math.max(across / ACROSS, LEAST, Math.sqrt((width * height) / MOST));
    return [Math.max(Math.ceil(width / side), 1), Math.max(Math.ceil(height / side), 1)];
  }

  // Where spheres are in the picture; how many there are.
  #project(spheres, scale, eye, cut, columns, lines) {
    const { discs, owners } = this;
    const { view: v, projection: p, near, isOrthographic } = eye;
    const [halfColumns, halfLines, alongX, alongY] = [0.5 * columns, 0.5 * lines, p[0], p[5]];
    // tiles of a unit of length at the distance one, which differ a little along both sides
    const most = Math.max(alongX * halfColumns, alongY * halfLines);
    const least = Math.min(alongX * halfColumns, alongY * halfLines);
    let found = 0;
    for (let row = 0, at = 0; at < spheres.length; row++, at += 4) {
      const a = spheres[at];
      const b = spheres[at + 1];
      const c = spheres[at + 2];
      const r = spheres[at + 3] * scale;
      const x = v[0] * a + v[4] * b + v[8] * c + v[12];
      const y = v[1] * a + v[5] * b + v[9] * c + v[13];
      const z = v[2] * a + v[6] * b + v[10] * c + v[14];
      const before = cut.x * x + cut.y * y + cut.z * z + cut.w;
      if (before > r) continue;
      let within = r;
      let about = r;
      let rim = z;
      let shrink = 1;
      if (!isOrthographic) {
        const across = x * x + y * y;
        const square = across + z * z;
        if (z > r) continue;
        shrink = -1 / z;
        // the outline reaches as far as this from the middle; an eye that is close to the sphere sees it beyond all bounds
        const cosine = (-z * Math.sqrt(Math.max(square - r * r, 0)) - Math.sqrt(across) * r) / square;
        about = cosine > 0.1 && z < 0 ? r / cosine : Infinity;
        within = about < Infinity && -z - r > near ? r : 0;
        rim -= r * Math.sqrt(across / square);
      }
      // one that the cut meets is not whole
      if (before > -r) within = 0;
      const d = 6 * found;
      if (about === Infinity) {
        discs[d + 3] = Infinity;
      } else {
        const i = (1 + x * alongX * shrink + p[12]) * halfColumns;
        const j = (1 + y * alongY * shrink + p[13]) * halfLines;
        const reach = about * shrink * most;
        if (i + reach < 0 || i - reach > columns || j + reach < 0 || j - reach > lines) continue;
        discs[d] = i;
        discs[d + 1] = j;
        discs[d + 3] = reach;
      }
      discs[d + 2] = within * shrink * least;
      discs[d + 4] = z + r;
      discs[d + 5] = rim;
      owners[found++] = row;
    }
    return found;
  }

  // Puts spheres into the order of their fronts, the nearest first.
  #sort(found) {
    const { discs, keys, order, starts } = this;
    let [low, high] = [Infinity, -Infinity];
    for (let n = 0; n < found; n++) {
      const front = discs[6 * n + 4];
      if (front < low) low = front;
      if (front > high) high = front;
    }
    const factor = high > low ? (LEVELS - 1) / (high - low) : 0;
    starts.fill(0);
    for (let n = 0; n < found; n++) {
      keys[n] = (high - discs[6 * n + 4]) * factor;
      starts[keys[n] + 1]++;
    }
    for (let level = 0; level < LEVELS; level++) starts[level + 1] += starts[level];
    for (let n = 0; n < found; n++) order[starts[keys[n]]++] = n;
  }

  // Whether something nearer covers all tiles that the outline touches.
  #isHidden(disc, columns, lines) {
    const { discs, depths } = this;
    const x = discs[disc];
    const y = discs[disc + 1];
    const reach = discs[disc + 3];
    const front = discs[disc + 4];
    if (reach === Infinity) return false;
    const top = Math.min(Math.floor(y + reach), lines - 1);
    for (let j = Math.max(Math.floor(y - reach), 0); j <= top; j++) {
      const off = y < j ? j - y : y > j + 1 ? y - j - 1 : 0;
      const half = Math.sqrt(Math.max(reach * reach - off * off, 0));
      const last = j * columns + Math.min(Math.floor(x + half), columns - 1);
      for (let tile = j * columns + Math.max(Math.floor(x - half), 0); tile <= last; tile++) if (depths[tile] < front) return false;
    }
    return true;
  }

  // Marks the tiles that are wholly within the outline.
  #hide(disc, columns, lines) {
    const { discs, depths } = this;
    const x = discs[disc];
    const y = discs[disc + 1];
    const radius = discs[disc + 2];
    const rim = discs[disc + 5];
    const top = Math.min(Math.floor(y + radius), lines) - 1;
    for (let j = Math.max(Math.ceil(y - radius), 0); j <= top; j++) {
      const off = Math.max(Math.abs(j - y), Math.abs(j + 1 - y));
      if (off >= radius) continue;
      const half = Math.sqrt(radius * radius - off * off);
      const last = j * columns + Math.min(Math.floor(x + half), columns) - 1;
      for (let tile = j * columns + Math.max(Math.ceil(x - half), 0); tile <= last; tile++) if (depths[tile] < rim) depths[tile] = rim;
    }
  }
}
