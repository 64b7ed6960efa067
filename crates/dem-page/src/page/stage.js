// The canvas: what is drawn, when, and how large.
import { Color, LinearSRGBColorSpace, Scene, Vector3, Vector4, WebGLRenderer } from 'three';
import { Camera, drawAxes } from 'dem/camera';

// Time without a change after which a picture that was drawn in a hurry is drawn well [ms].
const REST = 150;
// Pixels that a processor draws at most while something moves, and at rest, when each point of the screen gets up to four of them.
const PIXELS = { moving: 1e6, resting: 4e6 };

const BACKGROUNDS = { dark: 0x14181d, light: 0xffffff };

// Names of what draws without a graphics card.
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

// Whether the processor draws: by its name, or by a context that is not given to who wants a fast one.
function isSoftware() {
  const context = document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true });
  if (context === null) return true;
  const named = context.getExtension('WEBGL_debug_renderer_info');
  const name = context.getParameter(named ? named.UNMASKED_RENDERER_WEBGL : context.RENDERER);
  context.getExtension('WEBGL_lose_context')?.loseContext();
  return SOFTWARE.test(name);
}

export class Stage {
  constructor(canvas, axes, up) {
    this.canvas = canvas;
    this.axes = axes;
    this.isSoftware = isSoftware();
    this.renderer = new WebGLRenderer({ canvas, antialias: !this.isSoftware, powerPreference: 'high-performance' });
    // for tests: pictures that were drawn
    this.drawn = 0;
    // colours of the shaders are those of the screen
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.scene = new Scene();
    // uniforms of all shaders
    this.shared = { cut: { value: new Vector4(0, 0, 0, -1) }, hasCut: { value: false }, isOrthographic: { value: false }, isLight: { value: false }, reach: { value: 1 } };
    this.camera = new Camera(canvas, up, () => this.request());
    // called before a picture is drawn with the camera and the pixels of the picture
    this.preparations = [];
    // whether more pictures are about to come
    this.isMoving = () => false;
    this.camera.controls.addEventListener('start', () => { this.isHeld = true; });
    this.camera.controls.addEventListener('end', () => { this.isHeld = false; });
    new ResizeObserver(() => this.#resize()).observe(canvas.parentElement);
    this.#resize();
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.camera.resize(width / height);
    // what was cleared by the new size must not be seen
    this.hurry();
  }

  theme(name) {
    this.shared.isLight.value = name === 'light';
    this.renderer.setClearColor(new Color().setHex(BACKGROUNDS[name], LinearSRGBColorSpace));
    this.request();
  }

  // Takes away the half of space where normal · x + constant > 0; nothing if there is no plane.
  cut(plane) {
    this.plane = plane;
    this.request();
  }

  // Asks for a new picture before the screen shows the next one; a promise of its being drawn. However often it is asked for, there is one.
  request() {
    this.wanted ??= new Promise((done) => {
      const draw = () => {
        this.wanted = undefined;
        this.hurry();
        done();
      };
      // what nobody sees need not wait for the screen, which would be forever
      if (document.hidden) setTimeout(draw);
      else requestAnimationFrame(draw);
    });
    return this.wanted;
  }

  // Draws in a hurry, and well when nothing has changed for a while.
  hurry() {
    clearTimeout(this.timer);
    this.#draw(this.#ratio(PIXELS.moving, 1));
    if (!this.isSoftware) return;
    const rest = () => {
      if (this.isHeld || this.isMoving()) this.timer = setTimeout(rest, REST);
      else this.draw();
    };
    this.timer = setTimeout(rest, REST);
  }

  // Draws now, and well.
  draw() {
    clearTimeout(this.timer);
    this.#draw(this.#ratio(PIXELS.resting, 2));
  }

  // Pixels along a side for a point of the screen: what the screen has, or what a processor can do.
  #ratio(pixels, most) {
    if (!this.isSoftware) return Math.min(window.devicePixelRatio, 2);
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    return Math.min(Math.sqrt(pixels / Math.max(width * height, 1)), most);
  }

  #draw(ratio) {
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
    this.camera.prepare();
    const camera = this.camera.active;
    this.shared.isOrthographic.value = this.camera.isOrthographic;
    this.shared.reach.value = this.camera.box.radius;
    this.shared.hasCut.value = Boolean(this.plane);
    if (this.plane) {
      // as the eye sees the plane
      const normal = this.plane.normal.clone().transformDirection(camera.matrixWorldInverse);
      const point = this.plane.normal.clone().multiplyScalar(-this.plane.constant).applyMatrix4(camera.matrixWorldInverse);
      this.shared.cut.value.set(normal.x, normal.y, normal.z, -normal.dot(point));
    } else {
      this.shared.cut.value.set(0, 0, 0, -1);
    }
    const { width, height } = this.canvas;
    for (const prepare of this.preparations) prepare(camera, width, height);
    this.renderer.render(this.scene, camera);
    this.drawn++;
    drawAxes(this.axes, this.camera);
  }

  // Ray through a pixel of the window.
  ray(x, y) {
    const box = this.canvas.getBoundingClientRect();
    return this.camera.ray((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height);
  }

  // Place of a point in the window.
  screen(point) {
    const seen = new Vector3(...point).project(this.camera.active);
    const box = this.canvas.getBoundingClientRect();
    return [box.left + (0.5 + 0.5 * seen.x) * box.width, box.top + (0.5 - 0.5 * seen.y) * box.height];
  }

  // The picture as a canvas of its own, with what `annotate` draws on it.
  picture(annotate) {
    this.draw();
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [this.canvas.width, this.canvas.height];
    const context = copy.getContext('2d');
    context.drawImage(this.canvas, 0, 0);
    const ratio = this.renderer.getPixelRatio();
    context.scale(ratio, ratio);
    annotate(context, copy.width / ratio, copy.height / ratio);
    return copy;
  }
}
