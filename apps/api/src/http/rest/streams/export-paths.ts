import type { RestRoute } from '../routes.ts'
import { ROW_FORMATS, type RowFormat } from './formats.ts'
import { rowStreams } from './row-streams.ts'

/** Returns the path of a list's file: `/api/exports/trades.csv?limit=5` for `/api/trades?limit=5`. */
export function toExportPath(url: string, { fileEnding }: Pick<RowFormat, 'fileEnding'>): string {
  return url.replace(/^\/api\/([^?]*)/, `/api/exports/$1.${fileEnding}`)
}

/** Lists the paths of a route's list as files; none if the list is not streamed. */
export function listExportPaths(route: Pick<RestRoute, 'path' | 'procedure'>): string[] {
  if (rowStreams[route.procedure] === undefined) return []
  return Object.values(ROW_FORMATS).map((format) => toExportPath(route.path, format))
}
