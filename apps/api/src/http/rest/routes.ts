import { procedures } from '@papermoon/contract'
import type { ErrorCode } from '@papermoon/contract/errors'
import type { Procedure } from '@papermoon/contract/procedure'
import { ROW_FORMATS, toExportPath } from './streams/formats.ts'
import { rowStreams } from './streams/row-streams.ts'

/** One REST route, and the procedure that it calls. */
export interface RestRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path in OpenAPI's notation, with names of input fields in braces. */
  readonly path: string
  /** The full name of the procedure. */
  readonly procedure: string
  readonly entry: Procedure
  readonly operationId: string
  readonly summary: string
  readonly access: 'anyone' | 'player'
  /** Error codes that this route has besides those of all routes of its kind (openapi/refusals.ts). */
  readonly refusals: readonly ErrorCode[]
}

/** The REST routes of the contract. */
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

/**
 * Lists the paths at which a route's list can be downloaded as a file. Returns an empty list if the route's list cannot
 * be streamed.
 */
export function listExportPaths(route: Pick<RestRoute, 'path' | 'procedure'>): string[] {
  if (rowStreams[route.procedure] === undefined) return []
  return Object.values(ROW_FORMATS).map((format) => toExportPath(route.path, format))
}
