// The eye: orbits about a point, in perspective or in parallel projection.
import { OrbitControls, OrthographicCamera, PerspectiveCamera, Vector3 } from 'three';

const FIELD_OF_VIEW = 30;
const TANGENT = Math.tan((FIELD_OF_VIEW * Math.PI) / 360);

export class Camera {
  // `up` is the vertical; `changed` is called when the picture has to be drawn again.
  constructor(canvas, up, changed) {
    this.up = new Vector3(...up).normalize();
    this.perspective = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.1, 10);
    this.parallel = new OrthographicCamera();
    this.active = this.perspective;
    for (const camera of [this.perspective, this.parallel]) camera.up.copy(this.up);
    this.controls = new OrbitControls(this.active, canvas);
    this.controls.addEventListener('change', changed);
    this.changed = changed;
    this.box = { centre: new Vector3(), radius: 1 };
    this.aspect = 1;
    // axes of the ground: what the sides of the picture are named after
    const along = Math.abs(this.up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    this.ground = [along.addScaledVector(this.up, -along.dot(this.up)).normalize()];
    this.ground.push(new Vector3().crossVectors(this.up, this.ground[0]));
  }

  get isOrthographic() {
    return this.active === this.parallel;
  }

  // Takes a box as what there is to be seen.
  frame(low, high) {
    const [a, b] = [new Vector3(...low), new Vector3(...high)];
    this.box.centre.addVectors(a, b).multiplyScalar(0.5);
    this.box.radius = Math.max(0.5 * a.distanceTo(b), 1e-12);
  }

  // Looks at the whole from an azimuth and an elevation [degree].
  look(azimuth, elevation) {
    const [a, e] = [azimuth, elevation].map((degrees) => (degrees * Math.PI) / 180);
    const direction = new Vector3()
      .addScaledVector(this.ground[0], Math.cos(e) * Math.cos(a))
      .addScaledVector(this.ground[1], Math.cos(e) * Math.sin(a))
      .addScaledVector(this.up, Math.sin(e));
    const narrow = Math.min(1, this.aspect);
    const distance = this.box.radius / Math.sin(Math.atan(TANGENT * narrow));
    this.controls.target.copy(this.box.centre);
    for (const camera of [this.perspective, this.parallel]) {
      camera.zoom = 1;
      camera.position.copy(this.box.centre).addScaledVector(direction, distance);
    }
    this.controls.update();
    this.#span();
    this.changed();
  }

  // Changes the projection and keeps the size of what the eye looks at.
  project(isParallel) {
    const [from, to] = isParallel ? [this.perspective, this.parallel] : [this.parallel, this.perspective];
    if (this.active !== from) return;
    to.position.copy(from.position);
    if (!isParallel) {
      const away = to.position.clone().sub(this.controls.target).divideScalar(this.parallel.zoom);
      to.position.copy(this.controls.target).add(away);
    }
    this.parallel.zoom = 1;
    this.active = to;
    this.controls.object = to;
    this.#span();
    this.controls.update();
    this.changed();
  }

  resize(aspect) {
    this.aspect = aspect;
    this.perspective.aspect = aspect;
    this.#span();
  }

  // Height of what a parallel projection shows: as much as the perspective does at the point it looks at.
  #span() {
    if (this.parallel.zoom === 1) {
      this.halfHeight = TANGENT * this.active.position.distanceTo(this.controls.target);
    }
    const [camera, half] = [this.parallel, this.halfHeight];
    Object.assign(camera, { top: half, bottom: -half, right: half * this.aspect, left: -half * this.aspect });
  }

  // Planes in front of and behind everything, as close as they can be: depth is worth more that way.
  prepare() {
    const camera = this.active;
    const distance = camera.position.distanceTo(this.box.centre);
    const reach = 1.6 * this.box.radius;
    camera.near = this.isOrthographic ? distance - 4 * reach : Math.max(distance - reach, 0.002 * this.box.radius);
    camera.far = distance + (this.isOrthographic ? 4 : 1) * reach;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  // Ray through a point of the canvas, in parts of its half sides.
  ray(x, y) {
    this.prepare();
    const camera = this.active;
    const near = new Vector3(x, y, -1).unproject(camera);
    const far = new Vector3(x, y, 1).unproject(camera);
    const direction = far.sub(near).normalize();
    return { origin: this.isOrthographic ? near : camera.position.clone(), direction };
  }

  // Turns, moves and zooms by keys: angles in degrees, a factor of the distance.
  turn(azimuth, elevation, factor = 1) {
    const camera = this.active;
    const away = camera.position.clone().sub(this.controls.target);
    away.applyAxisAngle(this.up, (azimuth * Math.PI) / 180);
    const side = new Vector3().crossVectors(this.up, away).normalize();
    const turned = away.clone().applyAxisAngle(side, (-elevation * Math.PI) / 180);
    if (turned.angleTo(this.up) > 0.02 && turned.angleTo(this.up) < Math.PI - 0.02) away.copy(turned);
    if (this.isOrthographic) camera.zoom /= factor;
    else away.multiplyScalar(factor);
    camera.position.copy(this.controls.target).add(away);
    this.controls.update();
    this.changed();
  }
}

const AXES = [['x', '#e05252', [1, 0, 0]], ['y', '#3fa34d', [0, 1, 0]], ['z', '#4a8df0', [0, 0, 1]]];

// Draws the axes as they lie in the picture.
export function drawAxes(svg, camera) {
  const inverse = camera.active.matrixWorldInverse;
  const ends = AXES.map(([name, colour, axis]) => {
    const seen = new Vector3(...axis).transformDirection(inverse);
    return { name, colour, x: 26 * seen.x, y: -26 * seen.y, depth: seen.z };
  }).sort((a, b) => a.depth - b.depth);
  svg.innerHTML = ends.map(({ name, colour, x, y }) =>
    `<line x1="0" y1="0" x2="${x}" y2="${y}" stroke="${colour}"/><text x="${1.32 * x}" y="${1.32 * y}" fill="${colour}">${name}</text>`).join('');
}
