import { procedures } from '@papermoon/contract'
import type { ErrorCode } from '@papermoon/contract/errors'
import type { Procedure } from '@papermoon/contract/procedure'

/** One REST route, and the procedure it calls. */
export interface RestRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path as in OpenAPI; braces name the field of the input that they fill. */
  readonly path: string
  /** The procedure's full name. */
  readonly procedure: string
  readonly entry: Procedure
  readonly operationId: string
  readonly summary: string
  readonly access: 'anyone' | 'player'
  /** Error codes beside those of every route of its kind (openapi/refusals.ts). */
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
