import { createHash } from 'node:crypto'

/**
 * A place in the journal of the whole market. Every event at or below it is committed: `entry` counts trades and rug pulls,
 * which share a sequence, and `tokenId` launches.
 */
export interface JournalPosition {
  readonly entry: number
  readonly tokenId: number
}

/** Whether events after `position` are at or below `end`. */
export function isBehind(position: JournalPosition, end: JournalPosition): boolean {
  return position.entry < end.entry || position.tokenId < end.tokenId
}

const VERSION = '1'
const TAG_CHARS = 8
/** Longer than any cursor. */
const CHARS_MAX = 80
const CONTENT = /^1\.([0-9a-f]{8})\.([0-9a-z]{1,11})\.([0-9a-z]{1,7})$/
const RADIX = 36

/** A parsed cursor. */
export interface EventCursor {
  readonly position: JournalPosition
  /** Whether it was made on this database: a position of another one means nothing here. */
  readonly isOwn: boolean
}

/** Cursors as clients see them: opaque texts of letters, digits, `-` and `_`. */
export class EventCursors {
  readonly #tag: string

  /** `key` identifies the database: all of its nodes have the same, and so has a restored copy. */
  constructor(key: Buffer) {
    this.#tag = createHash('sha256').update(key).digest('hex').slice(0, TAG_CHARS)
  }

  format({ entry, tokenId }: JournalPosition): string {
    return Buffer.from([VERSION, this.#tag, entry.toString(RADIX), tokenId.toString(RADIX)].join('.')).toString(
      'base64url',
    )
  }

  /** Returns null for a text that is no cursor. */
  parse(text: string): EventCursor | null {
    if (text.length > CHARS_MAX) return null
    const content = Buffer.from(text, 'base64url')
    const [, tag, entry = '', tokenId = ''] = CONTENT.exec(content.toString('latin1')) ?? []
    if (tag === undefined || content.toString('base64url') !== text) return null
    const position = { entry: Number.parseInt(entry, RADIX), tokenId: Number.parseInt(tokenId, RADIX) }
    if (!Number.isSafeInteger(position.entry) || !Number.isSafeInteger(position.tokenId)) return null
    return { position, isOwn: tag === this.#tag }
  }
}
