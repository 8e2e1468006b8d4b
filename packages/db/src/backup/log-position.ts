import type pg from 'pg'

/** Max delay between a commit's timestamp and its write to the log, in ms. */
export const CLOCK_MARGIN_MS = 1_000

/** A position in the write-ahead log of one history of a database, and its time. */
export interface LogPosition {
  /** Id of the database, which a restored copy shares. */
  readonly system: string
  /** Number that increases with each restore. */
  readonly timeline: number
  /** Number of bytes since the log began. */
  readonly lsn: number
  /** Time of the position by the database's clock. */
  readonly at: Date
}

type Queryable = Pick<pg.Pool, 'query'>

export async function readLogPosition(database: Queryable): Promise<LogPosition> {
  const { rows } = await database.query<LogPosition>(
    `select clock_timestamp() as at, system_identifier::text as system, timeline_id as timeline,
            (pg_current_wal_insert_lsn() - '0/0')::float8 as lsn
       from pg_control_system(), pg_control_checkpoint()`,
  )
  if (rows[0] === undefined) throw new Error('PostgreSQL did not say where its log is')
  return rows[0]
}

export interface LogEnd extends LogPosition {
  /** Name of the log file with the first commit after the position. */
  readonly file: string
}

/**
 * Makes an empty commit, at which a restore can stop, and ends the log file that PostgreSQL is writing. All commits up
 * to the returned time are before the returned position.
 */
export async function endLogFile(database: Queryable): Promise<LogEnd> {
  const position = await readLogPosition(database)
  await database.query('select pg_current_xact_id()')
  const { rows } = await database.query<{ file: string }>(
    'select pg_walfile_name(pg_current_wal_insert_lsn()) as file, pg_switch_wal()',
  )
  return { ...position, at: new Date(position.at.getTime() - CLOCK_MARGIN_MS), file: rows[0]?.file ?? '' }
}

/** Formats a position as PostgreSQL does, such as `1/6B374D8`. */
export function formatLsn(lsn: number): string {
  return [Math.floor(lsn / 2 ** 32), lsn % 2 ** 32].map((part) => part.toString(16).toUpperCase()).join('/')
}

/**
 * Returns the name of the next log file. The name of a log file contains the timeline, and the number of the file in
 * two parts. The low part of the number has one byte.
 */
export function getNextLogFile(name: string): string {
  const number = BigInt(`0x${name.slice(8, 16)}${name.slice(22)}`) + 1n
  const hex = (part: bigint) => part.toString(16).toUpperCase().padStart(8, '0')
  return `${name.slice(0, 8)}${hex(number >> 8n)}${hex(number & 0xffn)}`
}
