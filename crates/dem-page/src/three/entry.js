// What the page of `dem view` uses of three.js.
export {
  BufferAttribute, BufferGeometry, Color, DataTexture, DoubleSide, DynamicDrawUsage, EdgesGeometry, FloatType, GLSL3,
  LinearSRGBColorSpace, LineSegments, Mesh, NearestFilter, OrthographicCamera, PerspectiveCamera, RawShaderMaterial, RedFormat, RGBAFormat,
  Scene, StaticDrawUsage, UnsignedByteType,
  Vector3, Vector4, WebGLRenderer,
} from 'three';
export { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
