// The controls. They know the state of the picture as a plain object and say when it has changed.

const words = (name) => name.replaceAll('_', ' ').replaceAll('/', ': ');

// Fills a list of choices.
function choices(select, entries, chosen) {
  select.replaceChildren(...entries.map(([value, text]) => new Option(text, value, false, value === chosen)));
}

export class Panel {
  // `changed(what)` is called with the name of what a control has changed in `state`.
  constructor(root, state, scene, changed) {
    this.root = root;
    this.state = state;
    this.changed = changed;
    this.#fields(scene);
    for (const name of ['range', 'spheres', 'theme', 'axis']) this.#bind(name, 'change', (input) => input.value);
    for (const name of ['size', 'cutAt', 'least']) this.#bind(name, 'input', (input) => Number(input.value));
    for (const name of ['isCut', 'isFlipped', 'isParallel', 'showsChains', 'showsCell']) this.#bind(name, 'change', (input) => input.checked);
    this.#walls(scene.walls);
    this.#facets(scene.facets.fields);
  }

  #fields(scene) {
    const names = ['height', ...scene.fields.map((field) => field.name)];
    choices(this.input('field'), names.map((name) => [name, words(name)]), this.state.field);
    this.#bind('field', 'change', (input) => input.value);
  }

  input(name) {
    return this.root.querySelector(`[name="${name}"]`);
  }

  #bind(name, event, read) {
    this.input(name).addEventListener(event, () => {
      this.state[name] = read(this.input(name));
      this.changed(name);
    });
  }

  #walls(walls) {
    const list = this.root.querySelector('#walls');
    this.root.querySelector('#of-walls').hidden = walls.length === 0;
    const styles = [['opaque', 'opaque'], ['translucent', 'translucent'], ['hidden', 'hidden']];
    const row = (name, number) => {
      const label = document.createElement('label');
      const select = document.createElement('select');
      const text = document.createElement('span');
      text.textContent = name;
      label.append(text, select);
      choices(select, number < 0 ? [['', 'set …'], ...styles] : styles, number < 0 ? '' : this.state.walls[number]);
      select.dataset.wall = number < 0 ? '' : name;
      select.addEventListener('change', () => {
        if (number >= 0) this.state.walls[number] = select.value;
        else if (select.value) this.state.walls.fill(select.value);
        this.update();
        this.changed('walls');
      });
      return label;
    };
    const rows = walls.map((wall, number) => row(wall.name, number));
    list.replaceChildren(...(walls.length > 1 ? [row('all walls', -1)] : []), ...rows);
  }

  #facets(fields) {
    this.root.querySelector('#of-facets').hidden = fields.length === 0;
    choices(this.input('facets'), [['', 'nothing'], ...fields.map(({ name }) => [name, words(name)])], '');
    this.#bind('facets', 'change', (input) => input.value);
  }

  // Shows the state as it is.
  update() {
    for (const [name, value] of Object.entries(this.state)) {
      const input = this.input(name);
      if (!input) continue;
      if (input.type === 'checkbox') input.checked = value;
      else input.value = value;
    }
    const selects = [...this.root.querySelectorAll('#walls select')].filter((select) => select.dataset.wall !== '');
    selects.forEach((select, number) => { select.value = this.state.walls[number]; });
    const all = this.root.querySelector('#walls select[data-wall=""]');
    if (all) all.value = this.state.walls.every((style) => style === this.state.walls[0]) ? this.state.walls[0] : '';
    for (const name of ['axis', 'cutAt', 'isFlipped']) this.input(name).disabled = !this.state.isCut;
    this.input('least').disabled = !this.state.showsChains;
  }

  // Says where the cut is.
  sayCut(text) {
    this.root.querySelector('#cut-place').textContent = text;
  }

  hasContacts(has) {
    this.root.querySelector('#of-chains').hidden = !has;
  }
}
