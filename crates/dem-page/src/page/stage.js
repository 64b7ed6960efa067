// The canvas: what is drawn, when, and how large.
import { Color, LinearSRGBColorSpace, Scene, Vector3, Vector4, WebGLRenderer } from 'three';
import { Camera, drawAxes } from 'dem/camera';

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
    // colours of the shaders are those of the screen
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.scene = new Scene();
    // uniforms of all shaders
    this.shared = { cut: { value: new Vector4(0, 0, 0, -1) }, hasCut: { value: false }, isOrthographic: { value: false }, isLight: { value: false } };
    this.camera = new Camera(canvas, up, () => this.request());
    this.isWanted = false;
    // called before a picture is drawn with the camera and the pixels of the picture
    this.preparations = [];
    new ResizeObserver(() => this.#resize()).observe(canvas.parentElement);
    this.#resize();
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.resize(width / height);
    // what was cleared by the new size must not be seen
    this.draw();
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

  // Asks for a new picture before the screen shows the next one.
  request() {
    if (this.isWanted) return;
    this.isWanted = true;
    requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.isWanted = false;
    this.camera.prepare();
    const camera = this.camera.active;
    this.shared.isOrthographic.value = this.camera.isOrthographic;
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
