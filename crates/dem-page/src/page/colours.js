// Colours of values, and numbers as a reader wants them.
import { DataTexture, NearestFilter, RGBAFormat, UnsignedByteType } from 'three';

const WIDTH = 256;

// Rows of a texture: values, categories, forces.
export const ROWS = { continuous: 0, categories: 1, forces: 2 };

const split = (text) => text.match(/.{6}/g).map((hexadecimal) => `#${hexadecimal}`);

export class Colours {
  constructor(maps) {
    this.lists = Object.fromEntries(Object.keys(ROWS).map((name) => [name, split(maps[name])]));
    const data = new Uint8Array(4 * WIDTH * 3);
    for (const [name, row] of Object.entries(ROWS)) {
      const list = this.lists[name];
      for (let k = 0; k < WIDTH; k++) {
        const colour = parseInt(list[k % list.length].slice(1), 16);
        data.set([colour >> 16, (colour >> 8) & 255, colour & 255, 255], 4 * (row * WIDTH + k));
      }
    }
    this.texture = new DataTexture(data, WIDTH, 3, RGBAFormat, UnsignedByteType);
    this.texture.minFilter = this.texture.magFilter = NearestFilter;
    this.texture.needsUpdate = true;
  }

  category(number) {
    const list = this.lists.categories;
    return list[((Math.round(number) % list.length) + list.length) % list.length];
  }
}

const PREFIXES = { '-12': 'p', '-9': 'n', '-6': 'µ', '-3': 'm', 0: '', 3: 'k', 6: 'M', 9: 'G' };
const SUPERSCRIPTS = { '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' };
const raised = (number) => [...String(number)].map((sign) => SUPERSCRIPTS[sign]).join('');

// Factor and unit in which numbers up to `largest` are short.
export function scaleOf(largest, unit) {
  const printed = unit.replace(/\^(-?\d+)/g, (_, power) => raised(power)).replace(/ /g, ' ');
  if (!(largest > 0) || !Number.isFinite(largest)) return { factor: 1, unit: printed };
  const exponent = 3 * Math.floor(Math.log10(largest * 1.0001) / 3);
  if (exponent === 0) return { factor: 1, unit: printed };
  // whole numbers without a unit stay what they are
  if (unit === '' && exponent > 0 && exponent < 6) return { factor: 1, unit: '' };
  if (/^(m|s|N|J|Pa|W|Hz)(\/s| m)?$/.test(unit) && exponent in PREFIXES) {
    return { factor: 10 ** -exponent, unit: PREFIXES[exponent] + printed };
  }
  const power = `10${raised(exponent)}`;
  return { factor: 10 ** -exponent, unit: printed ? `${power} ${printed}` : power };
}

// A number to some digits, without zeros that say nothing.
export function short(number, digits = 4) {
  if (!Number.isFinite(number)) return Number.isNaN(number) ? '–' : String(number);
  if (Number.isInteger(number) && Math.abs(number) < 1e9) return String(number).replace('-', '−');
  const [mantissa, exponent] = number.toPrecision(digits).split('e');
  const trimmed = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
  return (exponent ? `${trimmed}·10${raised(Number(exponent))}` : trimmed).replace('-', '−');
}

// A value with its unit.
export function withUnit(value, unit, digits = 4) {
  const scale = scaleOf(Math.abs(value), unit);
  const between = scale.unit.startsWith('10') ? '·' : ' ';
  return `${short(value * scale.factor, digits)}${scale.unit ? between + scale.unit : ''}`;
}

// Multiples of 1, 2 or 5 times a power of ten within a range, some five of them.
export function ticksOf(low, high, target = 5) {
  const raw = (high - low) / target;
  if (!(raw > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5].find((lead) => lead * power >= raw * 0.85) ?? 10);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) ticks.push(k * step);
  return ticks;
}
