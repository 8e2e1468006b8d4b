import { createHash } from 'node:crypto'

/** First part of a cursor: 1 for the fairground, 2 for other fairs. Their journals have separate positions. */
export type CursorMarket = '1' | '2'
const TAG_CHARS = 8
/** Max length of a text that is parsed; cursors are shorter. */
const CHARS_MAX = 80
/** Cursors of earlier versions have an optional last part, the newest token. Such cursors remain valid for a day. */
const CONTENT = /^([12])\.([0-9a-f]{8})\.([0-9a-z]{1,11})(\.[0-9a-z]{1,7})?$/
const RADIX = 36

/** Error text for a cursor of the other market. The text follows the field's name. */
export const OTHER_MARKET =
  'must be of the same market: events of the fairground, and those that fairs= brings, have cursors of their own'

export interface EventCursor {
  readonly position: number
  /** Whether the cursor was created on this database. Positions differ between databases. */
  readonly isOwn: boolean
}

/** Cursors as clients see them: opaque texts of letters, digits, `-` and `_`. */
export class EventCursors {
  readonly #tag: string
  readonly #market: CursorMarket

  /** `key` identifies the database. All nodes and restored copies of the database have the same key. */
  constructor(key: Buffer, market: CursorMarket = '1') {
    this.#market = market
    this.#tag = createHash('sha256').update(key).digest('hex').slice(0, TAG_CHARS)
  }

  format(position: number): string {
    return Buffer.from([this.#market, this.#tag, position.toString(RADIX)].join('.')).toString('base64url')
  }

  /** Returns null if the text is not a cursor of this market. */
  parse(text: string): EventCursor | null {
    const { market, tag, position } = this.#read(text) ?? {}
    return position !== undefined && market === this.#market ? { position, isOwn: tag === this.#tag } : null
  }

  /** Returns whether a text is a cursor of the other market. */
  isOfOther(text: string): boolean {
    return (this.#read(text)?.market ?? this.#market) !== this.#market
  }

  #read(text: string): { readonly market: string; readonly tag: string; readonly position: number } | null {
    if (text.length > CHARS_MAX) return null
    const content = Buffer.from(text, 'base64url')
    const [, market, tag, digits = '', newestToken] = CONTENT.exec(content.toString('latin1')) ?? []
    if (market === undefined || tag === undefined || content.toString('base64url') !== text) return null
    const position = Number.parseInt(digits, RADIX)
    if (!Number.isSafeInteger(position)) return null
    // In earlier versions, a launch had the same position as the trade before it. Send that position again.
    return { market, tag, position: newestToken === undefined ? position : Math.max(0, position - 1) }
  }
}
