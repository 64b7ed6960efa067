// Which frame is shown: slider, steps, play.
import { withUnit } from 'dem/colours';

export class Timeline {
  // `show(number)` shows a frame and returns a promise of its being drawn.
  constructor(root, list, show) {
    this.list = list;
    this.show = show;
    this.number = 0;
    this.isPlaying = false;
    this.pace = 12;
    for (const name of ['play', 'slider', 'time', 'count']) this[name] = root.querySelector(`#${name}`);
    this.play.addEventListener('click', () => this.toggle());
    this.slider.addEventListener('input', () => {
      this.stop();
      this.go(Number(this.slider.value));
    });
    root.querySelector('#before').addEventListener('click', () => this.step(-1));
    root.querySelector('#after').addEventListener('click', () => this.step(1));
    root.querySelector('#pace').addEventListener('change', (event) => { this.pace = Number(event.target.value); });
    this.root = root;
    this.update(list);
  }

  // Takes a list of frames that has grown or become another.
  update(list) {
    this.list = list;
    this.root.hidden = list.length < 2;
    this.slider.max = Math.max(list.length - 1, 0);
    this.#say();
  }

  get isAtEnd() {
    return this.number >= this.list.length - 1;
  }

  #say() {
    const frame = this.list[this.number];
    if (!frame) return;
    this.slider.value = this.number;
    const text = withUnit(frame.time, 's');
    this.time.textContent = `t = ${text}`;
    this.slider.setAttribute('aria-valuetext', text);
    this.count.textContent = `${this.number + 1} / ${this.list.length}`;
  }

  // Shows a frame; of many that are asked for while one is being made ready, only the last.
  async go(number) {
    this.number = Math.min(Math.max(number, 0), this.list.length - 1);
    this.#say();
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      let shown;
      do {
        shown = this.number;
        await this.show(shown);
      } while (shown !== this.number);
    } finally {
      this.isBusy = false;
    }
  }

  step(by) {
    this.stop();
    return this.go(this.number + by);
  }

  toggle() {
    if (this.isPlaying) this.stop();
    else this.#run();
  }

  stop() {
    this.isPlaying = false;
    this.#mark();
  }

  #mark() {
    this.play.textContent = this.isPlaying ? '❚❚' : '▶';
    this.play.setAttribute('aria-label', this.isPlaying ? 'pause' : 'play');
  }

  async #run() {
    this.isPlaying = true;
    this.#mark();
    while (this.isPlaying) {
      const begun = performance.now();
      await this.go(this.isAtEnd ? 0 : this.number + 1);
      // a frame is shown before the next one is made ready, however long that takes
      await new Promise(requestAnimationFrame);
      const rest = 1000 / this.pace - (performance.now() - begun);
      // the last frame stays a while
      await new Promise((done) => setTimeout(done, Math.max(rest, 0) + (this.isAtEnd ? 700 : 0)));
    }
  }
}
