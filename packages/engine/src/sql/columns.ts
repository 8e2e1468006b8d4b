/** Formats a column of rows as one parameter of a statement. */
export interface Columns {
  /** Values that need no quotes: numbers, times and hexadecimal digits. */
  texts<T>(rows: readonly T[], column: (row: T) => string | number): string | null
  /** A `bytea` column from hexadecimal digits. */
  hashes<T>(rows: readonly T[], column: (row: T) => string): string | null
  /** Arbitrary text. */
  quoted<T>(rows: readonly T[], column: (row: T) => string): string | null
}

/** PostgreSQL array literals. Backslashes are doubled; within quotes only quotes and backslashes are special. */
export const manyRows = {
  texts: <T>(rows: readonly T[], column: (row: T) => string | number): string => `{${rows.map(column).join(',')}}`,
  hashes: <T>(rows: readonly T[], column: (row: T) => string): string =>
    manyRows.texts(rows, (row) => `\\\\x${column(row)}`),
  quoted: <T>(rows: readonly T[], column: (row: T) => string): string =>
    manyRows.texts(rows, (row) => `"${column(row).replace(/["\\]/g, '\\$&')}"`),
} satisfies Columns

/** The value of the only row; null if there is none. */
export const oneRow = {
  texts: ([row], column) => (row === undefined ? null : `${column(row)}`),
  hashes: ([row], column) => (row === undefined ? null : `\\x${column(row)}`),
  quoted: ([row], column) => (row === undefined ? null : column(row)),
} satisfies Columns
