import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

const FOLDER = join(import.meta.dirname, '../../../.shots/journeys')
const FRAME_HEIGHT = 620
const CAPTION_HEIGHT = 34
const GAP = 10
/** Frames in a row. */
const ROW_PHONE = 6
const ROW_DESKTOP = 2
const GROUND = '#2c3247'

interface Frame {
  readonly caption: string
  readonly png: Buffer
}

/** Screenshots of a journey, drawn below each other as one picture. */
export class FilmStrip {
  readonly #frames: Frame[] = []

  add(caption: string, png: Buffer): void {
    this.#frames.push({ caption, png })
  }

  /** Writes the strip and returns its path. */
  async save(name: string): Promise<string> {
    const frames = await Promise.all(this.#frames.map(toImage))
    const cellWidth = Math.max(...frames.map(({ width }) => width)) + GAP
    const row = cellWidth > FRAME_HEIGHT ? ROW_DESKTOP : ROW_PHONE
    const cellHeight = FRAME_HEIGHT + CAPTION_HEIGHT + GAP
    const cells = frames.map(({ image, caption }, i) => {
      const [left, top] = [(i % row) * cellWidth, Math.floor(i / row) * cellHeight]
      return [
        { input: drawCaption(`${i + 1}. ${caption}`, cellWidth), left, top },
        { input: image, left, top: top + CAPTION_HEIGHT },
      ]
    })
    const width = Math.min(row, frames.length) * cellWidth
    const height = Math.ceil(frames.length / row) * cellHeight
    const canvas = sharp({ create: { width, height, channels: 3, background: GROUND } })
    mkdirSync(FOLDER, { recursive: true })
    const path = join(FOLDER, `${name}.png`)
    writeFileSync(path, await canvas.composite(cells.flat()).png().toBuffer())
    return path
  }
}

async function toImage({ caption, png }: Frame) {
  const { data, info } = await sharp(png).resize({ height: FRAME_HEIGHT }).png().toBuffer({ resolveWithObject: true })
  return { caption, image: data, width: info.width }
}

function drawCaption(text: string, width: number): Buffer {
  const safe = text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${CAPTION_HEIGHT}">
      <text x="4" y="23" font-family="sans-serif" font-size="16" fill="#f4ecdc">${safe}</text></svg>`,
  )
}
