import { escapeFormulas } from '../../../lib/text.ts'
import { getQuality, parseAccept } from '../../media-quality.ts'

type Row = Readonly<Record<string, unknown>>

/** A column of a table that is sent as CSV. Only values in text columns may contain any character. */
export interface Column {
  /** Name of the row's property. For a property of an object in the row, a dot separates the two names. */
  readonly name: string
  readonly isText?: true
}

/** A file format for lists of rows. */
export interface RowFormat {
  readonly contentType: string
  readonly fileEnding: string
  head(columns: readonly Column[]): string
  rows(rows: readonly Row[], columns: readonly Column[]): string
}

/** NDJSON: one JSON object per line, the same objects as in the JSON array. */
const ndjson: RowFormat = {
  contentType: 'application/x-ndjson; charset=utf-8',
  fileEnding: 'ndjson',
  head: () => '',
  rows: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
}

/** CSV by RFC 4180: the first line has the names, and lines end in CR LF. */
const csv: RowFormat = {
  contentType: 'text/csv; charset=utf-8; header=present',
  fileEnding: 'csv',
  head: (columns) => `${columns.map(({ name }) => name).join(',')}\r\n`,
  rows: (rows, columns) => rows.map((row) => `${columns.map((column) => toCell(row, column)).join(',')}\r\n`).join(''),
}

function toCell(row: Row, { name, isText }: Column): string {
  const value = String(getValue(row, name) ?? '')
  return isText ? `"${escapeFormulas(value).replaceAll('"', '""')}"` : value
}

function getValue(row: Row, name: string): unknown {
  const dot = name.indexOf('.')
  return dot < 0 ? row[name] : getValue(Object(row[name.slice(0, dot)]), name.slice(dot + 1))
}

export const ROW_FORMATS = { 'application/x-ndjson': ndjson, 'text/csv': csv } as const

const JSON_TYPE = 'application/json'
/** Media types, the one that the server prefers first. */
const TYPES = [JSON_TYPE, 'application/x-ndjson', 'text/csv'] as const

/**
 * Returns whether an Accept header may name a row format. This check must be cheap, because it runs for every request.
 */
export function mayAcceptRows(accept: string | undefined): boolean {
  return accept !== undefined && (accept.includes('ndjson') || accept.includes('csv'))
}

/** Returns the row format if the client prefers it to JSON by its q-values (RFC 9110, 12.5.1), otherwise null. */
export function chooseRowFormat(accept: string | undefined): RowFormat | null {
  if (accept === undefined || !mayAcceptRows(accept)) return null
  const ranges = parseAccept(accept)
  const weigh = (type: string) => getQuality(ranges, type)
  const [best] = [...TYPES].sort((one, other) => weigh(other) - weigh(one))
  return best === undefined || best === JSON_TYPE || weigh(best) === 0 ? null : ROW_FORMATS[best]
}

/** Returns the path of a list as a file, such as `/api/exports/trades.csv`. The query parameters are kept. */
export function toExportPath(url: string, { fileEnding }: Pick<RowFormat, 'fileEnding'>): string {
  return url.replace(/^\/api\/([^?]*)/, `/api/exports/$1.${fileEnding}`)
}
