/** Draws candles and bars; measures in pixels. */
export interface Pen {
  /** A vertical line. */
  stroke(x: number, from: number, to: number): void
  box(left: number, top: number, right: number, bottom: number): void
  /** A bar that stands on `bottom`. */
  bar(left: number, bottom: number, width: number, height: number): void
}

/** Writes the text of an SVG path. */
export class PathPen implements Pen {
  text = ''

  stroke(x: number, from: number, to: number): void {
    this.text += `M${px(x)} ${px(from)}V${px(to)}`
  }

  box(left: number, top: number, right: number, bottom: number): void {
    this.text += `M${px(left)} ${px(top)}H${px(right)}V${px(bottom)}H${px(left)}Z`
  }

  bar(left: number, bottom: number, width: number, height: number): void {
    this.text += `M${px(left)} ${bottom}v${-px(height)}h${px(width)}v${px(height)}Z`
  }
}

/** Collects coordinates for a canvas, which needs no text to write and to parse: a frame of a pan draws hundreds. */
export class CanvasPen implements Pen {
  /** x, from and to of each line. */
  readonly strokes: number[] = []
  /** left, top, right and bottom of each box. */
  readonly boxes: number[] = []

  stroke(x: number, from: number, to: number): void {
    this.strokes.push(x, from, to)
  }

  box(left: number, top: number, right: number, bottom: number): void {
    this.boxes.push(left, top, right, bottom)
  }

  bar(left: number, bottom: number, width: number, height: number): void {
    this.boxes.push(left, bottom - height, left + width, bottom)
  }
}

/** Two decimals are precise enough and keep the paths short. */
export function px(length: number): number {
  return Math.round(length * 100) / 100
}
