// What the page of `dem view` uses of three.js.
export {
  BufferAttribute, BufferGeometry, Color, DataTexture, DoubleSide, DynamicDrawUsage, EdgesGeometry, FloatType, GLSL3,
  InstancedBufferAttribute, InstancedBufferGeometry, InstancedInterleavedBuffer, InterleavedBufferAttribute, LinearSRGBColorSpace,
  LineSegments, Mesh, NearestFilter, OrthographicCamera, PerspectiveCamera, RawShaderMaterial, RGBAFormat, Scene, UnsignedByteType,
  Vector3, Vector4, WebGLRenderer,
} from 'three';
export { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
