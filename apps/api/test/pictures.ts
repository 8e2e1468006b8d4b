import sharp, { type Sharp } from 'sharp'

interface Size {
  readonly width?: number
  readonly height?: number
}

/** A small picture of one colour. */
export function aPicture({ width = 320, height = 200 }: Size = {}): Sharp {
  return sharp({ create: { width, height, channels: 3, background: '#c8472b' } })
}

export function aPng(size?: Size): Promise<Buffer> {
  return aPicture(size).png().toBuffer()
}
