// How a picture begins: which walls move, which are opaque, whether the edges of the cell are shown.

// Triangles and spheres that are looked at, of many.
const SAMPLED = 400;
// Share of the spheres that may lie beyond a wall that bounds them.
const BEYOND = 0.02;

const isSame = (a, b) => a.active === b.active && ['position', 'orientation'].every((name) => a[name].every((x, k) => x === b[name][k]));

// Says of each wall whether it moves: by its law of motion at the beginning, or by where it is in the frames that are known.
export function markMoving(walls, frames) {
  const known = frames.map((frame) => frame.walls).filter(Boolean);
  walls.forEach((wall, k) => {
    const places = known.map((places) => places[k]).filter((place) => place?.active);
    wall.is_moving ||= places.some((place) => !isSame(place, places[0]));
  });
}

// Whether the spheres lie on one side of most of a wall, as they do in a drum or under a piston, and not around a stirrer.
function bounds(corners, spheres) {
  const step = 4 * Math.max(Math.floor(spheres.length / 4 / SAMPLED), 1);
  const every = 9 * Math.max(Math.floor(corners.length / 9 / SAMPLED), 1);
  let [of, whole] = [0, 0];
  for (let at = 0; at + 9 <= corners.length; at += every) {
    const [ax, ay, az, bx, by, bz, cx, cy, cz] = corners.slice(at, at + 9);
    const [ux, uy, uz, vx, vy, vz] = [bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    let [before, count] = [0, 0];
    for (let s = 0; s < spheres.length; s += step, count++) {
      if (nx * (spheres[s] - ax) + ny * (spheres[s + 1] - ay) + nz * (spheres[s + 2] - az) > 0) before++;
    }
    const area = Math.hypot(nx, ny, nz);
    whole += area;
    if (Math.min(before, count - before) <= BEYOND * count) of += area;
  }
  return of > 0.5 * whole;
}

// Styles of walls that hide nothing: those that move are opaque, unless they bound the spheres.
export function stylesOf(walls, places, corners, spheres) {
  return walls.walls.map((wall, k) => {
    const isOpaque = spheres.length > 0 ? wall.is_moving && places[k].active && !bounds(walls.cornersOf(k, corners), spheres) : wall.is_opaque;
    return isOpaque ? 'opaque' : 'translucent';
  });
}

// Whether a cell lies within what the picture shows; one that is far larger than what walls hold only disturbs.
export function fits(cell, [low, high]) {
  if (!cell) return true;
  const [origin, ...edges] = cell;
  return origin.every((from, axis) => {
    const along = edges.map((edge) => edge[axis]);
    const room = 0.1 * Math.max(...high.map((x, k) => x - low[k]));
    const least = from + along.reduce((sum, x) => sum + Math.min(x, 0), 0);
    const most = from + along.reduce((sum, x) => sum + Math.max(x, 0), 0);
    return least >= low[axis] - room && most <= high[axis] + room;
  });
}
