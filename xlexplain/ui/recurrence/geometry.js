// Where things stand: a column a token, a gap a segment border, a row a layer.

const COLUMN = { least: 4, most: 72, lettered: 10, apart: 7 };
const WIDEST_SCROLL = 1040;
const EDGE = 2;

class Geometry {
  constructor({ length, segments, segmentLength, layers }, available) {
    this.segmentLength = segmentLength;
    this.segments = segments;
    this.layers = layers;
    this.gap = length <= 200 ? 5 : 2;
    const gaps = (segments - 1) * this.gap + 2 * EDGE;
    const wanted = Math.max(available, Math.min(length * COLUMN.least + gaps, WIDEST_SCROLL));
    this.column = Math.min(COLUMN.most, (wanted - gaps) / length);
    this.width = length * this.column + gaps;
    this.isApart = this.column >= COLUMN.apart;
    this.isLettered = this.column >= COLUMN.lettered;
    this.pitch = segmentLength * this.column + this.gap;
  }

  segmentOf(token) {
    return Math.floor(token / this.segmentLength);
  }

  left(token) {
    return EDGE + token * this.column + this.segmentOf(token) * this.gap;
  }

  right(token) {
    return this.left(token) + this.column - (this.isApart ? 2 : 0);
  }

  middle(token) {
    return (this.left(token) + this.right(token)) / 2;
  }

  /** The line between a segment and the one before it. */
  border(segment) {
    return this.left(segment * this.segmentLength) - (this.isApart ? this.gap / 2 + 1 : this.gap / 2);
  }

  tokenAt(x) {
    const within = (value, most) => Math.max(0, Math.min(most, Math.floor(value)));
    const segment = within((x - EDGE) / this.pitch, this.segments - 1);
    const inner = (x - EDGE - segment * this.pitch) / this.column;
    return segment * this.segmentLength + within(inner, this.segmentLength - 1);
  }
}
