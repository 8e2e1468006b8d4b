import { colours } from './colours.ts'

/** A square in the picture, in pixels. */
export interface Square {
  readonly x: number
  readonly y: number
  readonly size: number
}

/** Draws the paper moon. */
export function moon({ x, y, size }: Square): string {
  return `<svg x="${x}" y="${y}" width="${size}" height="${size}" viewBox="0 0 64 64">
<path d="M42 5.500A28 28 0 1 0 59 39 22 22 0 0 1 42 5.500Z" fill="${colours.moon}"/>
<path d="M24 27q3-3 6 0M26 41q5 3 10-1" fill="none" stroke="${colours.moonInk}" stroke-width="2.400" stroke-linecap="round"/>
</svg>`
}
