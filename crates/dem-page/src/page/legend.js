// Colour bars and names of categories, in the page and on saved pictures.
import { scaleOf, short, ticksOf } from 'dem/colours';

const HEIGHT = 180;
// Categories that a legend names; of more it says how many.
const NAMED = 12;

const words = (name) => name.replaceAll('_', ' ').replaceAll('/', ' ');

// A bar with ticks: title, colours and places of the labels in parts of its height.
export function barOf(name, unit, [low, high], colours) {
  const scale = scaleOf(Math.max(Math.abs(low), Math.abs(high)), unit);
  const [bottom, top] = [low * scale.factor, high * scale.factor];
  const ticks = top > bottom ? ticksOf(bottom, top).map((value) => ({ at: (value - bottom) / (top - bottom), text: tickText(value, top - bottom) })) : [{ at: 0.5, text: short(bottom) }];
  return { title: scale.unit ? `${words(name)} (${scale.unit})` : words(name), ticks, colours };
}

// As many decimals as the distance of ticks asks for.
function tickText(value, span) {
  const decimals = Math.max(0, Math.ceil(-Math.log10(span / 5) - 1e-9));
  return value.toFixed(Math.min(decimals, 12)).replace(/^-(0(\.0*)?)$/, '$1').replace('-', '−');
}

// Names of the categories that there are.
export function listOf(field, values, colours) {
  const present = [...new Set(values)].filter(Number.isFinite).sort((a, b) => a - b);
  const entries = present.slice(0, NAMED).map((number) => ({ text: field.categories[number] ?? String(number), colour: colours.category(number) }));
  const further = present.length > NAMED ? `${present.length} values, 8 colours` : '';
  return { title: words(field.name), entries: further ? [] : entries, further };
}

export function show(element, legends) {
  element.replaceChildren(...legends.map((legend) => {
    const box = document.createElement('div');
    const title = document.createElement('h2');
    title.textContent = legend.title;
    box.append(title);
    if (legend.ticks) box.append(barElement(legend));
    for (const entry of legend.entries ?? []) {
      const line = document.createElement('p');
      const mark = document.createElement('i');
      mark.style.background = entry.colour;
      line.append(mark, entry.text);
      box.append(line);
    }
    if (legend.further) box.append(Object.assign(document.createElement('p'), { textContent: legend.further }));
    return box;
  }));
}

function barElement({ ticks, colours }) {
  const bar = document.createElement('div');
  bar.className = 'bar';
  const strip = document.createElement('div');
  strip.style.background = `linear-gradient(to top, ${colours.filter((_, k) => k % 8 === 0 || k === colours.length - 1).join(',')})`;
  bar.append(strip);
  for (const { at, text } of ticks) {
    const label = document.createElement('span');
    label.style.bottom = `${100 * at}%`;
    label.textContent = text;
    bar.append(label);
  }
  return bar;
}

// Draws legends on a picture, below each other from the left upper corner.
export function annotate(context, legends, { title, time, isLight }, height) {
  const ink = isLight ? '#14181d' : '#e8ebee';
  const font = (size, weight = 400) => `${weight} ${size}px system-ui, sans-serif`;
  Object.assign(context, { fillStyle: ink, textBaseline: 'top', font: font(16, 600) });
  context.fillText(title, 16, 14);
  context.font = font(14);
  context.fillText(time, 16, 38);
  let y = 76;
  for (const legend of legends) {
    Object.assign(context, { fillStyle: ink, textBaseline: 'top', font: font(13, 600) });
    context.fillText(legend.title, 16, y);
    y += 26;
    context.font = font(12);
    if (legend.ticks) {
      const length = Math.min(HEIGHT, height - y - 20);
      legend.colours.forEach((colour, k, all) => {
        context.fillStyle = colour;
        const top = y + length * (1 - (k + 1) / all.length);
        context.fillRect(16, top, 16, length / all.length + 1);
      });
      Object.assign(context, { fillStyle: ink, textBaseline: 'middle' });
      for (const { at, text } of legend.ticks) context.fillText(`– ${text}`, 34, y + length * (1 - at));
      y += length + 26;
    }
    for (const { text, colour } of legend.entries ?? []) {
      context.fillStyle = colour;
      context.fillRect(16, y, 14, 14);
      Object.assign(context, { fillStyle: ink, textBaseline: 'top' });
      context.fillText(text, 38, y);
      y += 22;
    }
  }
}
