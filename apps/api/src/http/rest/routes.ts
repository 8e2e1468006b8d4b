import { procedures } from '@papermoon/contract'
import type { ErrorCode } from '@papermoon/contract/errors'
import type { Procedure } from '@papermoon/contract/procedure'
import { ROW_FORMATS, type RowFormat } from './streams/formats.ts'
import { rowStreams } from './streams/row-streams.ts'

/** One REST route, and the procedure that it calls. */
export interface RestRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path in OpenAPI's notation, where braces name the input field to fill. */
  readonly path: string
  /** The procedure's full name. */
  readonly procedure: string
  readonly entry: Procedure
  readonly operationId: string
  readonly summary: string
  readonly access: 'anyone' | 'player'
  /** Error codes in addition to those of every route of its kind (openapi/refusals.ts). */
  readonly refusals: readonly ErrorCode[]
}

/** The contract's REST routes. */
export const restRoutes: readonly RestRoute[] = [...procedures].flatMap(([name, entry]) => {
  const route = toRoute(name, entry)
  return route === null ? [] : [route]
})

function toRoute(procedure: string, entry: Procedure): RestRoute | null {
  const { rest, operationId, summary, errors = [] } = entry
  if (rest === undefined) return null
  if (operationId === undefined || summary === undefined) throw new Error(`${procedure} lacks operationId or summary`)
  const [method, path = ''] = rest.split(' ') as [RestRoute['method'], string?]
  const access = entry.access === 'player' || entry.refusesGuests ? 'player' : 'anyone'
  return { method, path, procedure, entry, operationId, summary, access, refusals: errors }
}

/** Returns the path of a list's file: `/api/exports/trades.csv?limit=5` for `/api/trades?limit=5`. */
export function toExportPath(url: string, { fileEnding }: Pick<RowFormat, 'fileEnding'>): string {
  return url.replace(/^\/api\/([^?]*)/, `/api/exports/$1.${fileEnding}`)
}

/** Lists the paths of a route's list as files; none if the list is not streamed. */
export function listExportPaths(route: Pick<RestRoute, 'path' | 'procedure'>): string[] {
  if (rowStreams[route.procedure] === undefined) return []
  return Object.values(ROW_FORMATS).map((format) => toExportPath(route.path, format))
}
