// Puts the parts of the page together: state, frames, drawing, controls.
import { Vector3 } from 'three';
import { Chains } from 'dem/chains';
import { Colours, short, withUnit } from 'dem/colours';
import { cornersOf, openSource } from 'dem/data';
import { contactsOf, forceOf, rangeOf, spheresOf, valuesOf } from 'dem/frames';
import { annotate, barOf, listOf, show as showLegends } from 'dem/legend';
import { Lines } from 'dem/lines';
import { fits, markMoving, stylesOf } from 'dem/outset';
import { Panel } from 'dem/panel';
import { pick } from 'dem/picking';
import { Spheres } from 'dem/spheres';
import { Stage } from 'dem/stage';
import { Timeline } from 'dem/timeline';
import { Walls } from 'dem/walls';

// Time between two questions for new frames [ms].
const POLL = 1500;
const element = (id) => document.getElementById(id);

const source = await openSource();
const say = (text) => {
  element('message').textContent = text;
  element('message').hidden = !text;
};
while (source.list.length === 0) {
  say('The run has not written a frame yet; the picture appears with the first one.');
  await new Promise((done) => setTimeout(done, POLL));
  await source.news();
}
say('');

const { scene } = source;
const corners = await cornersOf(scene);
const stage = new Stage(element('canvas'), element('axes'), scene.up);
const colours = new Colours(scene.maps);
const spheres = new Spheres(colours, stage.shared, stage.isSoftware);
stage.preparations.push((...picture) => spheres.prepare(...picture));
// of a run that is served only frames that were looked at are known
if (source.isServed && scene.walls.length > 0) await Promise.all([0, source.list.length - 1].map((number) => source.frame(number)));
markMoving(scene.walls, source.list);
const walls = new Walls(scene.walls, scene.facets, corners, colours, stage.shared);
const lines = new Lines(walls, corners, stage.shared);
const chains = new Chains(colours, stage.shared);
stage.scene.add(spheres.mesh, ...walls.meshes, lines.mesh, chains.mesh);

const state = {
  field: scene.first_field,
  range: 'all',
  spheres: 'solid',
  size: 1,
  isCut: false,
  axis: 'y',
  cutAt: 0.5,
  isFlipped: false,
  walls: scene.walls.map((wall) => (wall.is_opaque ? 'opaque' : 'translucent')),
  facets: '',
  showsChains: false,
  least: 0,
  isParallel: false,
  showsCell: true,
  theme: window.matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark',
};
// what is shown now
const shown = { number: -1, legends: [] };
let chosen;

const fieldOf = (name) => scene.fields.find((field) => field.name === name) ?? { name, unit: 'm', categorical: false, categories: [] };

const framesMeant = () => (state.range === 'frame' ? [shown.frame] : source.list);

async function recolour() {
  const field = fieldOf(state.field);
  shown.values = await valuesOf(shown.frame, state.field, shown.spheres, scene.up);
  const range = rangeOf(state.field, framesMeant());
  spheres.colour(shown.values, range, field.categorical);
  const ofSpheres = field.categorical ? listOf(field, shown.values, colours) : barOf(field.name, field.unit, range, colours.lists.continuous);
  shown.legends = state.spheres === 'hidden' ? [] : [ofSpheres];
  if (state.showsChains && shown.contacts) {
    shown.legends.push(barOf('normal force', 'N', [0, forceOf(framesMeant())], colours.lists.forces.slice(70, 241)));
  }
  const facets = scene.facets.fields.find(({ name }) => name === state.facets);
  const column = `facet:${state.facets}`;
  if (facets && shown.frame.names.includes(column)) {
    const of = rangeOf(column, framesMeant());
    walls.colour(await shown.frame.column(column), of);
    shown.legends.push(barOf(`facets: ${facets.name}`, facets.unit, of, colours.lists.continuous));
  } else {
    walls.colour(undefined);
  }
  showLegends(element('legend'), shown.legends);
}

async function chain() {
  const has = shown.frame.names.includes('first');
  panel.hasContacts(has);
  shown.contacts = has && state.showsChains ? await contactsOf(shown.frame, shown.spheres) : undefined;
  element('least-text').textContent = short(state.least, 2);
  if (!shown.contacts) return chains.hide();
  let sum = 0;
  for (let k = 3; k < shown.contacts.length; k += 8) sum += Math.abs(shown.contacts[k]);
  const mean = sum / Math.max(shown.contacts.length / 8, 1);
  chains.place(shown.contacts, forceOf(framesMeant()), state.least * mean, 0.45 * shown.radius);
}

const middle = (numbers) => numbers.toSorted?.((a, b) => a - b)[numbers.length >> 1] ?? numbers[0];

async function showFrame(number) {
  const frame = await source.frame(number);
  const placed = await spheresOf(frame);
  const radius = middle(await frame.column('radius')) ?? 0;
  Object.assign(shown, { frame, number, spheres: placed, radius });
  spheres.place(placed);
  walls.place(frame.walls);
  lines.placeCell(frame.cell);
  await chain();
  await recolour();
  await choose(chosen);
  await stage.request();
}

// The box of the spheres of all frames that are known and of the walls that are there now.
function boxOf() {
  const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  const take = (...point) => point.forEach((x, axis) => {
    low[axis] = Math.min(low[axis], x);
    high[axis] = Math.max(high[axis], x);
  });
  walls.visit(shown.frame.walls, corners, take);
  for (const { bounds } of source.list) bounds?.forEach((corner) => take(...corner));
  if (!Number.isFinite(low[0]) && shown.frame.cell) {
    const [origin, ...edges] = shown.frame.cell;
    take(...origin);
    take(...origin.map((x, axis) => x + edges[0][axis] + edges[1][axis] + edges[2][axis]));
  }
  return Number.isFinite(low[0]) ? [low, high] : [[-1, -1, -1], [1, 1, 1]];
}

function cut() {
  panel.sayCut('at');
  if (!state.isCut) return stage.cut(undefined);
  const normal = new Vector3();
  if (state.axis === 'eye') stage.camera.active.getWorldDirection(normal).negate();
  else normal.setComponent('xyz'.indexOf(state.axis), state.axis === 'z' ? 1 : -1);
  if (state.isFlipped) normal.negate();
  const [low, high] = shown.box;
  const reaches = [...Array(8).keys()].map((k) => normal.dot(new Vector3(...[0, 1, 2].map((axis) => ((k >> axis) & 1 ? high : low)[axis]))));
  const [nearest, farthest] = [Math.min(...reaches), Math.max(...reaches)];
  // the slider takes away more the farther it is to the right
  const at = farthest + (nearest - farthest) * state.cutAt;
  if (state.axis !== 'eye') panel.sayCut(withUnit(at * (normal.x + normal.y + normal.z), 'm', 3));
  return stage.cut({ normal, constant: -at });
}

// Shows the values of a sphere, by its id; nothing if the frame does not have it.
async function choose(id) {
  chosen = id;
  const ids = id === undefined ? [] : await shown.frame.column('id');
  const row = ids.indexOf(id);
  spheres.uniforms.selected.value = row;
  element('picked').hidden = row < 0;
  if (row < 0) return;
  const rows = [['radius', withUnit(shown.spheres[4 * row + 3], 'm', 7)]];
  const position = [0, 1, 2].map((axis) => withUnit(shown.spheres[4 * row + axis], 'm'));
  rows.push(['position', position.join(', ')]);
  for (const field of scene.fields.filter(({ name }) => name !== 'radius')) {
    const values = await valuesOf(shown.frame, field.name, shown.spheres, scene.up);
    const value = values[row];
    const name = field.categories[value];
    rows.push([field.name.replaceAll('_', ' '), name ?? withUnit(value, field.unit)]);
  }
  element('picked').querySelector('h2').textContent = `sphere ${id}`;
  element('picked').querySelector('table').replaceChildren(...rows.map(([name, text]) => {
    const line = document.createElement('tr');
    line.append(Object.assign(document.createElement('th'), { textContent: name }), Object.assign(document.createElement('td'), { textContent: text }));
    return line;
  }));
}

async function pickAt(x, y) {
  const { origin, direction } = stage.ray(x, y);
  const row = state.spheres === 'hidden' ? -1 : pick(shown.spheres, state.size, origin, direction, stage.plane);
  await choose(row < 0 ? undefined : (await shown.frame.column('id'))[row]);
  stage.request();
}

async function changed(what) {
  if (what === 'theme') {
    document.documentElement.dataset.theme = state.theme;
    stage.theme(state.theme);
  }
  if (what === 'showsChains') state.spheres = state.showsChains ? 'hidden' : 'solid';
  spheres.show(state.spheres);
  spheres.uniforms.scale.value = state.size;
  if (['walls', 'showsCell'].includes(what)) {
    walls.show(state.walls);
    lines.show(state.walls, state.showsCell);
  }
  if (what === 'isParallel') stage.camera.project(state.isParallel);
  if (['isCut', 'axis', 'cutAt', 'isFlipped'].includes(what)) cut();
  if (['showsChains', 'least', 'range'].includes(what)) await chain();
  if (['field', 'range', 'showsChains', 'spheres', 'facets'].includes(what)) await recolour();
  panel.update();
  stage.request();
}

const flip = (name) => {
  state[name] = !state[name];
  return changed(name);
};

function save() {
  const text = { title: scene.title, time: element('time').textContent, isLight: state.theme === 'light' };
  const picture = stage.picture((context, _, height) => annotate(context, shown.legends, text, height));
  picture.toBlob((blob) => {
    const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(blob), download: `frame_${shown.number}.png` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
}

function togglePanel(open = element('panel').hidden) {
  element('panel').hidden = !open;
  element('open-panel').setAttribute('aria-expanded', open);
}

const panel = new Panel(element('panel'), state, scene, changed);
const timeline = new Timeline(element('timeline'), source.list, showFrame);
stage.isMoving = () => timeline.isPlaying;

const keys = {
  ' ': () => timeline.toggle(),
  ArrowLeft: () => timeline.step(-1),
  ArrowRight: () => timeline.step(1),
  Home: () => timeline.step(-Infinity),
  End: () => timeline.step(Infinity),
  a: () => stage.camera.turn(-10, 0),
  d: () => stage.camera.turn(10, 0),
  w: () => stage.camera.turn(0, 10),
  s: () => stage.camera.turn(0, -10),
  '+': () => stage.camera.turn(0, 0, 0.85),
  '=': () => stage.camera.turn(0, 0, 0.85),
  '-': () => stage.camera.turn(0, 0, 1 / 0.85),
  r: () => stage.camera.look(-60, 20),
  c: () => flip('isCut'),
  f: () => shown.frame.names.includes('first') && flip('showsChains'),
  o: () => flip('isParallel'),
  b: () => {
    state.theme = state.theme === 'dark' ? 'light' : 'dark';
    return changed('theme');
  },
  p: save,
  m: () => togglePanel(),
  '?': () => element('help').showModal(),
  Escape: () => choose(undefined).then(() => stage.request()),
};

function listen() {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || element('help').open) return;
    // a control that has the focus keeps its keys
    if (event.target.closest?.('select, input, button') && event.key !== 'Escape' && event.key !== '?') return;
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  let pressed;
  element('canvas').addEventListener('pointerdown', (event) => { pressed = event.isPrimary ? [event.clientX, event.clientY] : undefined; });
  element('canvas').addEventListener('pointerup', (event) => {
    if (!pressed || event.button !== 0) return;
    // a drag is no click
    if (Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < 4) pickAt(event.clientX, event.clientY);
  });
  for (const button of document.querySelectorAll('[data-view]')) {
    button.addEventListener('click', () => stage.camera.look(...button.dataset.view.split(',').map(Number)));
  }
  element('save').addEventListener('click', save);
  element('open-help').addEventListener('click', () => element('help').showModal());
  element('open-panel').addEventListener('click', () => togglePanel());
  element('forget').addEventListener('click', keys.Escape);
}

// Asks a server for new frames and follows them while the last one is shown.
async function follow() {
  const mark = element('live');
  for (;;) {
    await new Promise((done) => setTimeout(done, POLL));
    if (document.hidden) continue;
    try {
      const follows = timeline.isAtEnd;
      const count = source.list.length;
      const hasNews = await source.news();
      mark.hidden = false;
      mark.textContent = 'live';
      if (!hasNews && source.list.length === count) continue;
      timeline.update(source.list);
      if (follows || timeline.number >= source.list.length) await timeline.go(source.list.length - 1);
    } catch {
      mark.hidden = false;
      mark.textContent = 'no connection';
    }
  }
}

element('title').textContent = scene.title;
document.title = scene.title || 'dem view';
togglePanel(window.innerWidth > 640);
// as it came out; play begins at the beginning
await timeline.go(source.list.length - 1);
shown.box = boxOf();
state.walls = stylesOf(walls, shown.frame.walls, corners, shown.spheres);
state.showsCell = scene.walls.length === 0 || fits(shown.frame.cell, shown.box);
stage.camera.frame(...shown.box);
stage.camera.look(-60, 20);
for (const what of ['theme', 'walls']) await changed(what);
listen();
if (source.isServed) follow();
// for tests and for who wants to drive the page from its console
window.demView = { chooseAt: pickAt, scene, shown, source, spheres, stage, state, timeline, changed };
