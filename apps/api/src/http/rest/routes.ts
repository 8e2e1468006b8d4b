import { procedures } from '@papermoon/contract'
import type { ErrorCode } from '@papermoon/contract/errors'
import type { Procedure } from '@papermoon/contract/procedure'

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
