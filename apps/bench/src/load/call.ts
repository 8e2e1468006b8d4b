import { performance } from 'node:perf_hooks'

export interface Call {
  /** A player's `Cookie` header. By default, the caller is a guest. */
  readonly cookie?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** The body of a POST request as JSON. A request without a body is a GET. */
  readonly body?: string
}

/** Calls a local server. Throws an error if the server rejects the call. */
export async function call(port: number, path: string, { cookie, headers, body }: Call = {}): Promise<Response> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { ...(cookie !== undefined && { cookie }), ...(body !== undefined && JSON_BODY), ...headers },
    ...(body !== undefined && { method: 'POST', body }),
  })
  if (!response.ok) throw new Error(`${response.status} for ${path}: ${await response.text()}`)
  return response
}

const JSON_BODY = { 'content-type': 'application/json' }

/** Returns how long a guest's GET request takes, in ms. */
export async function timeRead(port: number, path: string): Promise<number> {
  const startedMs = performance.now()
  await (await call(port, path)).arrayBuffer()
  return performance.now() - startedMs
}
