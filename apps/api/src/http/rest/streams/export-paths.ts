import type { RestRoute } from '../routes.ts'
import { ROW_FORMATS, type RowFormat } from './formats.ts'
import { rowStreams } from './row-streams.ts'

/** The address of a list as a file: `/api/exports/trades.csv?limit=5` of `/api/trades?limit=5`. */
export function toExportPath(url: string, { fileEnding }: Pick<RowFormat, 'fileEnding'>): string {
  return url.replace(/^\/api\/([^?]*)/, `/api/exports/$1.${fileEnding}`)
}

/** The addresses of a route's list as files; none where it is not streamed. */
export function listExportPaths(route: Pick<RestRoute, 'path' | 'procedure'>): string[] {
  if (rowStreams[route.procedure] === undefined) return []
  return Object.values(ROW_FORMATS).map((format) => toExportPath(route.path, format))
}
