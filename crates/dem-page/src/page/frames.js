// Columns of a frame as arrays that can be drawn.

// Centres and radii, four numbers a sphere.
export async function spheresOf(frame) {
  const [x, y, z, radius] = await Promise.all(['x', 'y', 'z', 'radius'].map((name) => frame.column(name)));
  const spheres = new Float32Array(4 * frame.count);
  const [ox, oy, oz] = frame.origin;
  for (let k = 0, to = 0; k < frame.count; k++) {
    spheres[to++] = ox + x[k] * frame.quantum;
    spheres[to++] = oy + y[k] * frame.quantum;
    spheres[to++] = oz + z[k] * frame.quantum;
    spheres[to++] = radius[k];
  }
  return spheres;
}

// Values of a field and the range of those that are finite.
export async function valuesOf(frame, name, spheres, up) {
  if (name === 'height') {
    const values = new Float32Array(frame.count);
    for (let k = 0; k < frame.count; k++) {
      values[k] = spheres[4 * k] * up[0] + spheres[4 * k + 1] * up[1] + spheres[4 * k + 2] * up[2];
    }
    return values;
  }
  if (name === 'radius') return frame.column(name);
  if (!frame.names.includes(`field:${name}`)) return new Float32Array(frame.count).fill(NaN);
  return frame.column(`field:${name}`);
}

// Contacts as begin, normal force, end and nothing, eight numbers each; none if the frame has no contacts.
export async function contactsOf(frame, spheres) {
  if (!frame.names.includes('first')) return undefined;
  const [first, above, force, branch] = await Promise.all(
    ['first', 'second', 'force', 'branch'].map((name) => frame.column(name)),
  );
  const contacts = new Float32Array(8 * first.length);
  for (let k = 0, to = 0, way = 0; k < first.length; k++) {
    const a = 4 * first[k];
    for (let axis = 0; axis < 3; axis++) contacts[to++] = spheres[a + axis];
    contacts[to++] = force[k];
    // a sphere that touches itself stands for a wall or an image beyond the cell
    if (above[k] === 0) {
      for (let axis = 0; axis < 3; axis++) contacts[to++] = spheres[a + axis] + branch[way++];
    } else {
      const b = 4 * ((first[k] + above[k]) >>> 0);
      for (let axis = 0; axis < 3; axis++) contacts[to++] = spheres[b + axis];
    }
    to++;
  }
  return contacts;
}

// Force at which chains are widest: of one frame, or in the middle of those of all, as impacts are far harder than what a bed carries.
export function forceOf(frames) {
  const largest = frames.map((frame) => frame.ranges?.force?.[1] ?? 0).filter((force) => force > 0).sort((a, b) => a - b);
  return largest[largest.length >> 1] ?? 1;
}

// Range of a field over one frame or over all that are known.
export function rangeOf(name, frames) {
  let [low, high] = [Infinity, -Infinity];
  for (const frame of frames) {
    const range = frame.ranges?.[name];
    if (range) [low, high] = [Math.min(low, range[0]), Math.max(high, range[1])];
  }
  return low <= high ? [low, high] : [0, 1];
}
