import assert from 'node:assert/strict'
import pg from 'pg'

/** `bigint[]`, which pg's table of known types leaves out. */
const int8ArrayOid: number = 1016

/** Ids and counts are far below 2^53; a value that is not would lose digits, so it is a bug that must not pass. */
function parseInt8(text: string): number {
  const value = Number(text)
  assert(Number.isSafeInteger(value), `bigint ${text} does not fit a safe integer`)
  return value
}

/**
 * How PostgreSQL's text becomes JavaScript: `bigint` a safe integer, `numeric` its exact text (money is never a float),
 * `timestamptz` a Date, `date` its text (a Date would move it by the time zone). Set per pool, not globally.
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
