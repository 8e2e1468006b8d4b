import { stringify } from 'csv-stringify/sync'
import { escapeFormulas } from '../../lib/formula-safe.ts'

/** Formats rows as CSV (RFC 4180). Text is quoted and cannot contain formulas. */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return stringify([...rows], { quoted_string: true, record_delimiter: 'windows', cast: { string: escapeFormulas } })
}
