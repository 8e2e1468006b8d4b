import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../chapters')
/** The chapters in reading order. Each chapter is a file in `chapters`. */
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

/** Reads a chapter's Markdown source. */
export function readChapterText(id: ChapterId): string {
  return readFileSync(join(FOLDER, `${id}.md`), 'utf8')
}

/** Returns a heading's anchor, as on GitHub. For an error code, the anchor is the code. */
export function toAnchor(heading: string): string {
  if (/^[A-Z][A-Z_]+$/.test(heading)) return heading
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')
}
