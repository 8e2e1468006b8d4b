import type { Sort } from '@papermoon/contract/tokens'
import { ID_MAX } from '@papermoon/engine'
import { z } from 'zod'
import { BadInputError } from '../../../errors.ts'
import { parseJson } from '../../../lib/text.ts'

/** The sort key and id of the last token on a page. */
export interface Cursor {
  readonly value: string
  readonly id: number
}

/** The columns by which a list of tokens is sorted. */
export interface SortedRow {
  readonly id: number
  readonly price: string
  readonly created_at: Date
  readonly last_event_at: Date
}

const id = z.int().min(1).max(ID_MAX)
/** Accept only years that PostgreSQL accepts. PostgreSQL has no year 0. */
const time = z.iso.datetime().regex(/^[12]/)
const byTime = z.tuple([z.enum(['newest', 'oldest', 'last-trade']), time, id])
const byPrice = z.tuple([z.enum(['mcap-high', 'mcap-low']), z.string().regex(/^\d{1,20}(\.\d{1,18})?$/), id])
const written = z.union([byTime, byPrice])

/** Returns the cursor after a row, as an opaque text for `readCursor`. */
export function writeCursor(sort: Sort, row: SortedRow): string {
  return Buffer.from(JSON.stringify([sort, toSortValue(sort, row), row.id])).toString('base64url')
}

function toSortValue(sort: Sort, row: SortedRow): string {
  if (sort === 'mcap-high' || sort === 'mcap-low') return row.price
  return (sort === 'last-trade' ? row.last_event_at : row.created_at).toISOString()
}

/** Parses a cursor. Throws `BadInputError` if the text is not a cursor of this sort order. */
export function readCursor(sort: Sort, text: string): Cursor {
  const parsed = written.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
  if (!parsed.success || parsed.data[0] !== sort) throw new BadInputError('cursor is not one that this list gave.')
  return { value: parsed.data[1], id: parsed.data[2] }
}
