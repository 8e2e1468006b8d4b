import assert from 'node:assert/strict'
import pg from 'pg'

/** Type id of `bigint[]`, which is missing in pg's list of types. */
const int8ArrayOid: number = 1016

/** Parses a bigint. Ids and counts are far below 2^53. Throws for a larger value, because it would lose digits. */
function parseInt8(text: string): number {
  const value = Number(text)
  assert(Number.isSafeInteger(value), `bigint ${text} does not fit a safe integer`)
  return value
}

/**
 * Creates parsers for PostgreSQL's text format. `bigint` becomes a safe integer, `numeric` its exact text,
 * `timestamptz` a Date, and `date` its text, because the time zone would shift a Date. Set the parsers per pool, not
 * globally.
 */
export function createTypeParsers(): pg.TypeOverrides {
  const { builtins } = pg.types
  const parsers = new pg.TypeOverrides()
  const parseTextArray = pg.types.getTypeParser(int8ArrayOid as never, 'text') as (text: string) => (string | null)[]
  parsers.setTypeParser(builtins.INT8, parseInt8)
  parsers.setTypeParser(int8ArrayOid, (text: string) =>
    parseTextArray(text).map((item) => (item === null ? null : parseInt8(item))),
  )
  parsers.setTypeParser(builtins.NUMERIC, (text: string) => text)
  parsers.setTypeParser(builtins.DATE, (text: string) => text)
  return parsers
}
