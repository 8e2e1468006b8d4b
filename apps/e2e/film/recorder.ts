import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import sharp from 'sharp'

/** Time between two frames, ms. */
const FRAME_MS = 200

interface Frame {
  readonly png: Buffer
  /** How long it is shown, ms. */
  readonly shownMs: number
}

/** Records a page as frames, in the time that passes there. */
export class Recorder {
  readonly #page: Page
  readonly #frames: Frame[] = []

  constructor(page: Page) {
    this.#page = page
  }

  /** Records for `ms`. */
  async record(ms: number): Promise<void> {
    this.#frames.push(...(await this.#take(() => Promise.resolve(false), ms)))
  }

  /** Waits until `isOver` is true, for at most `maxMs`, and keeps the last `keptMs` before that. */
  async recordUntil(isOver: () => Promise<boolean>, { keptMs, maxMs }: { keptMs: number; maxMs: number }) {
    const frames = await this.#take(isOver, maxMs)
    this.#frames.push(...frames.slice(-Math.ceil(keptMs / FRAME_MS)))
  }

  /** The film as an animated WebP that repeats for ever, `width` pixels wide. */
  async toWebp(width: number): Promise<Buffer> {
    const frames = mergeEqual(this.#frames)
    const small = await Promise.all(frames.map(({ png }) => sharp(png).resize({ width }).png().toBuffer()))
    return await sharp(small, { join: { animated: true } })
      .webp({ quality: 60, effort: 5, minSize: true, loop: 0, delay: frames.map(({ shownMs }) => shownMs) })
      .toBuffer()
  }

  async #take(isOver: () => Promise<boolean>, maxMs: number): Promise<Frame[]> {
    const frames: Frame[] = []
    const endMs = performance.now() + maxMs
    let isLast = false
    while (!isLast && performance.now() < endMs) {
      isLast = await isOver()
      const startMs = performance.now()
      const png = await this.#page.screenshot({ animations: 'allow', caret: 'initial' })
      await sleep(Math.max(0, FRAME_MS - (performance.now() - startMs)))
      frames.push({ png, shownMs: Math.round(performance.now() - startMs) })
    }
    return frames
  }
}

/** Joins neighbours that show the same. */
function mergeEqual(frames: readonly Frame[]): Frame[] {
  const merged: Frame[] = []
  for (const frame of frames) {
    const last = merged.at(-1)
    if (last?.png.equals(frame.png)) merged[merged.length - 1] = { ...last, shownMs: last.shownMs + frame.shownMs }
    else merged.push(frame)
  }
  return merged
}
