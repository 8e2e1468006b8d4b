import { listRefusals } from '../../src/http/rest/openapi/refusals.ts'
import { restRoutes } from '../../src/http/rest/routes.ts'

interface Refusals {
  readonly name: string
  readonly codes: ReadonlySet<string>
}

/** Error codes of the OpenAPI document, by `METHOD /path/:id` and by procedure. */
const listed = new Map<string, Refusals>(
  restRoutes.flatMap((route) => {
    const name = `${route.procedure} (${route.method} ${route.path})`
    const codes = new Set<string>(listRefusals(route).flatMap(([, some]) => some))
    const address = `${route.method} ${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`
    return [address, route.procedure].map((key): [string, Refusals] => [key, { name, codes }])
  }),
)

/** With a wrong method, REST calls another route, but tRPC calls the same procedure. */
const ONLY_TRPC = 'METHOD_NOT_ALLOWED'

/** Returns a sentence if a route or procedure fails with a code that the OpenAPI document does not list, or null. */
export function findUnlistedRefusal(key: string, code: unknown): string | null {
  const refusals = listed.get(key.replace(/^HEAD /, 'GET '))
  if (refusals === undefined || typeof code !== 'string' || code === ONLY_TRPC || refusals.codes.has(code)) return null
  return `${refusals.name} refuses with ${code}: add it to its errors in packages/contract`
}
