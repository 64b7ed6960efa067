// Frames, whether they stand in the page or come from the server that the page came from.

// Bytes of decoded columns that are kept.
const KEPT = 256e6;

const inflated = async (bytes) => {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

const bytesOf = (base64) => {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  return bytes;
};

// Numbers of a block: element, whether they are differences, two bytes, count, planes of bytes.
export async function decoded(sent) {
  const plain = await inflated(sent);
  const count = new DataView(plain.buffer).getUint32(4, true);
  const Numbers = [Float32Array, Uint32Array, Float64Array][plain[0]];
  const size = Numbers.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(count * size);
  for (let plane = 0; plane < size; plane++) {
    for (let k = 0, from = 8 + plane * count, to = plane; k < count; k++, from++, to += size) bytes[to] = plain[from];
  }
  const numbers = new Numbers(bytes.buffer);
  if (plain[1]) for (let k = 1; k < count; k++) numbers[k] += numbers[k - 1];
  return numbers;
}

// What was used last, up to a number of bytes.
class Kept {
  constructor() {
    this.entries = new Map();
    this.bytes = 0;
  }

  get(key) {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  set(key, value, bytes) {
    this.entries.set(key, { value, bytes });
    this.bytes += bytes;
    for (const [old, entry] of this.entries) {
      if (this.bytes <= KEPT || old === key) break;
      this.entries.delete(old);
      this.bytes -= entry.bytes;
    }
  }

  clear() {
    this.entries.clear();
    this.bytes = 0;
  }
}

class Embedded {
  constructor(document) {
    this.scene = document.scene;
    this.list = document.frames;
    this.kept = new Kept();
  }

  async frame(number) {
    const frame = this.list[number];
    return { ...frame, names: Object.keys(frame.columns), column: (name) => this.column(frame.columns[name]) };
  }

  async column([block, count]) {
    let numbers = this.kept.get(block);
    if (!numbers) {
      numbers = await decoded(bytesOf(document.getElementById(`block-${block}`).textContent));
      this.kept.set(block, numbers, numbers.byteLength);
    }
    return numbers.subarray(0, count);
  }

  // All frames are known from the beginning.
  async news() {
    return false;
  }
}

const fetched = async (path) => {
  const answer = await fetch(path, { cache: 'no-store' });
  if (!answer.ok) throw new Error((await answer.text()).trim() || `${path}: ${answer.status}`);
  return answer;
};

class Served {
  constructor() {
    this.list = [];
    this.origin = '';
    this.kept = new Kept();
    this.isServed = true;
  }

  async open() {
    await this.news();
  }

  async frame(number) {
    let frame = this.kept.get(number);
    if (!frame) {
      const bytes = new Uint8Array(await (await fetched(`frame/${number}`)).arrayBuffer());
      const end = 4 + new DataView(bytes.buffer).getUint32(0, true);
      const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, end)));
      const decodedColumns = new Map();
      const column = async (name) => {
        if (!decodedColumns.has(name)) {
          const [from, length] = head.columns[name];
          decodedColumns.set(name, await decoded(bytes.subarray(end + from, end + from + length)));
        }
        return decodedColumns.get(name);
      };
      frame = { ...head, names: Object.keys(head.columns), column };
      // decoded, a frame is some two times as long
      this.kept.set(number, frame, 3 * bytes.byteLength);
      Object.assign(this.list[number], { ranges: head.ranges, bounds: head.bounds, walls: head.walls });
    }
    return frame;
  }

  // Asks for frames that have been written since; true if there are some.
  async news() {
    const answer = await (await fetched(`frames/${this.list.length}`)).json();
    if (answer.origin !== this.origin) {
      // the run was begun anew or went on from an earlier state
      this.origin = answer.origin;
      this.kept.clear();
      this.list = [];
      if (answer.first > 0) return this.news();
    }
    if (answer.frames.length === 0) return false;
    this.list.push(...answer.frames);
    // fields are those of the first frame
    this.scene ??= await (await fetched('scene')).json();
    return true;
  }
}

export async function openSource() {
  const document_ = JSON.parse(document.getElementById('document').textContent);
  if (document_) return new Embedded(document_);
  const served = new Served();
  await served.open();
  return served;
}

export const cornersOf = (scene) => decoded(bytesOf(scene.corners));
