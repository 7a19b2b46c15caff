// Returns a line for each text of the page whose contrast is too small (WCAG 2.2, 1.4.3), and for
// each border of a control (1.4.11). It is the body of a function, with the limits of both.
const [textLimit, borderLimit] = arguments;

// A canvas knows all notations of colours, and draws them in sRGB.
const canvas = document.createElement('canvas');
canvas.width = canvas.height = 1;
const context = canvas.getContext('2d', { willReadFrequently: true });
const channels = color => {
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
  return { rgb: [red, green, blue], alpha: alpha / 255 };
};
const over = (top, ground) => top.rgb.map((value, i) => value * top.alpha + ground[i] * (1 - top.alpha));

// Returns the colour behind the content of an element. A gradient or a picture has none.
const ground = element => {
  const layers = [];
  for (let at = element; at; at = at.parentElement) {
    const style = getComputedStyle(at);
    if (style.backgroundImage !== 'none') throw new Error(`a picture is behind it, in <${at.localName}>`);
    if (style.opacity !== '1') throw new Error(`<${at.localName}> is translucent`);
    const color = channels(style.backgroundColor);
    if (color.alpha > 0) layers.push(color);
    if (color.alpha === 1) return layers.reverse().reduce((below, layer) => over(layer, below), [0, 0, 0]);
  }
  throw new Error('no element has an opaque background');
};

const luminance = rgb => {
  const [red, green, blue] = rgb.map(value => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one, other) => {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

const problems = [];
let measured = 0;
const check = (what, limit, color, element) => {
  try {
    const below = ground(element);
    const ratio = contrast(over(channels(color), below), below);
    measured += 1;
    if (ratio < limit) problems.push(`${what}: ${color} on rgb(${below.map(Math.round)}) has ${ratio.toFixed(2)}:1`);
  } catch (error) {
    problems.push(`${what}: ${error.message}`);
  }
};
const isShown = element => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });

const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const text = texts.currentNode.data.trim();
  const element = texts.currentNode.parentElement;
  if (text && isShown(element)) check(`"${text}"`, textLimit, getComputedStyle(element).color, element);
}
for (const field of document.querySelectorAll('input, select, textarea')) {
  if (!isShown(field)) continue;
  check(`<${field.localName}>`, textLimit, getComputedStyle(field).color, field);
  if (field.placeholder) {
    check(`"${field.placeholder}"`, textLimit, getComputedStyle(field, '::placeholder').color, field);
  }
}
for (const control of document.querySelectorAll('button, input, select, textarea')) {
  if (!isShown(control)) continue;
  for (const part of [null, '::before']) {
    const style = getComputedStyle(control, part);
    const hasBorder = style.borderTopStyle !== 'none' && parseFloat(style.borderTopWidth) > 0;
    if (part && style.content === 'none' || !hasBorder || channels(style.borderTopColor).alpha === 0) continue;
    check(`the border of "${control.textContent.trim()}"`, borderLimit, style.borderTopColor, control.parentElement);
  }
}
if (!measured) problems.push('no text is shown');
return [...new Set(problems)];
