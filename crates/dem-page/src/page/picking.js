// The sphere that a ray meets first.

// Row of the sphere that the ray from `origin` along `direction` (unit) meets first in the half of space that the cut leaves, or -1. `cut` has a normal
// and a distance, as in normal · x + distance > 0 where space is taken away; none if it is undefined.
export function pick(spheres, scale, origin, direction, cut) {
  let [row, nearest] = [-1, Infinity];
  let [from, until] = [-Infinity, Infinity];
  if (cut) {
    const height = cut.normal.dot(origin) + cut.constant;
    const slope = cut.normal.dot(direction);
    if (slope === 0 && height > 0) return -1;
    if (slope < 0) from = -height / slope;
    if (slope > 0) until = -height / slope;
  }
  for (let k = 0; 4 * k < spheres.length; k++) {
    const [x, y, z] = [spheres[4 * k] - origin.x, spheres[4 * k + 1] - origin.y, spheres[4 * k + 2] - origin.z];
    const radius = spheres[4 * k + 3] * scale;
    const middle = x * direction.x + y * direction.y + z * direction.z;
    const square = radius * radius - (x * x + y * y + z * z - middle * middle);
    if (square < 0) continue;
    const half = Math.sqrt(square);
    const at = Math.max(middle - half, from);
    // one that is wholly taken away or behind the eye is not met
    if (at <= middle + half && at <= until && at < nearest && middle + half > 0) [row, nearest] = [k, at];
  }
  return row;
}
