import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

interface Size {
  readonly width?: number
  readonly height?: number
}

interface Look extends Size {
  readonly background?: string
}

/** Creates a small picture of one colour. */
export function aPicture({ width = 320, height = 200, background = '#c8472b' }: Look = {}): Sharp {
  return sharp({ create: { width, height, channels: 3, background } })
}

export function aPng(look?: Look): Promise<Buffer> {
  return aPicture(look).png().toBuffer()
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

/** Creates a valid black-and-white PNG of few bytes with any number of pixels. */
export function denselyPackedPng({ width, height }: Required<Size>): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Returns a small AVIF whose header claims this size. */
export async function anAvifOf({ width, height }: Required<Size>): Promise<Buffer> {
  const picture = await aPicture({ width: 64, height: 64 }).avif({ effort: 0 }).toBuffer()
  const sizes = picture.indexOf('ispe') + 8
  picture.writeUInt32BE(width, sizes)
  picture.writeUInt32BE(height, sizes + 4)
  return picture
}
