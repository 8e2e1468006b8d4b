import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../chapters')
/** In reading order; each is a file in `chapters`. */
export const CHAPTERS = [
  'quickstart',
  'bot',
  'cup',
  'sandbox',
  'orders',
  'stream',
  'history',
  'webhooks',
  'limits',
  'errors',
  'libraries',
] as const
export type ChapterId = (typeof CHAPTERS)[number]

/** A chapter as it is written, in Markdown. */
export function readChapterText(id: ChapterId): string {
  return readFileSync(join(FOLDER, `${id}.md`), 'utf8')
}

/** The anchor that GitHub gives a heading too; an error code is its own. */
export function toAnchor(heading: string): string {
  if (/^[A-Z][A-Z_]+$/.test(heading)) return heading
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')
}
