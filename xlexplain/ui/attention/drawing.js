// Shared by the components that draw matrices on a canvas.

function bytes(base64) {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

function floats(base64) {
  return new Float32Array(bytes(base64).buffer);
}

// 256 colours of a scale given as [place, "#rrggbb"] stops.
function ramp(stops) {
  const parse = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  return Array.from({ length: 256 }, (_, index) => {
    const place = index / 255;
    const upper = Math.max(1, stops.findIndex(([stop]) => stop >= place));
    const [[from, low], [to, high]] = [stops[upper - 1], stops[upper]];
    const share = (place - from) / (to - from);
    const [first, second] = [parse(low), parse(high)];
    return first.map((channel, at) => Math.round(channel + share * (second[at] - channel)));
  });
}

const css = ([red, green, blue]) => `rgb(${red},${green},${blue})`;

// Black or white, whichever reads better on a colour.
function inkOn(colour) {
  const [red, green, blue] = colour.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000" : "#fff";
}

// A canvas's context, in CSS pixels and in the type that its style says.
function sized(canvas, width, height) {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = width + "px";
  canvas.style.height = height + "px";
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = getComputedStyle(canvas).font;
  return context;
}

function hatching(context, colours, step = 5) {
  const tile = document.createElement("canvas");
  const size = Math.round(step * 2);
  tile.width = tile.height = size;
  const brush = tile.getContext("2d");
  brush.fillStyle = colours.masked;
  brush.fillRect(0, 0, size, size);
  brush.strokeStyle = colours["masked-ink"];
  brush.globalAlpha = 0.5;
  brush.beginPath();
  for (const shift of [-size, 0, size]) {
    brush.moveTo(shift - 1, size + 1);
    brush.lineTo(shift + size + 1, -1);
  }
  brush.stroke();
  return context.createPattern(tile, "repeat");
}

// Fill a rows × columns grid at (left, top); returns nothing, draws everything.
function drawCells(context, options) {
  const { rows, columns, left, top, width, height, colour, isMasked, colours, gap = 1, text } = options;
  const hatch = hatching(context, colours);
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [x, y] = [left + column * width, top + row * height];
      const masked = isMasked(row, column);
      const fill = masked ? null : colour(row, column);
      context.fillStyle = masked ? hatch : css(fill);
      context.fillRect(x, y, width - gap, height - gap);
      const label = !masked && text ? text(row, column) : "";
      if (label) {
        context.fillStyle = inkOn(fill);
        context.fillText(label, x + (width - gap) / 2, y + (height - gap) / 2 + 0.5);
      }
    }
  }
}
