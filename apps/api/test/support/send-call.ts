import { procedures } from '@papermoon/contract'
import type { LightMyRequestResponse } from 'fastify'
import type { RestRoute } from '../../src/http/rest/routes.ts'
import { openSocket, type Visitor } from './test-server.ts'

type Headers = Readonly<Record<string, string>>

/** Calls a procedure by tRPC over HTTP. `envelope` is the JSON text of its input, or of the inputs of a batch. */
export function sendCall(
  visitor: Visitor,
  path: string,
  { envelope, isBatch = false, headers = {} }: { envelope: string; isBatch?: boolean; headers?: Headers },
): Promise<LightMyRequestResponse> {
  const url = `/trpc/${path}${isBatch ? '?batch=1' : ''}`
  if (procedures.get(path)?.type === 'mutation')
    return visitor.raw('POST', url, envelope, { 'content-type': 'application/json', ...headers })
  return visitor.get(`${url}${isBatch ? '&' : '?'}input=${encodeURIComponent(envelope)}`, headers)
}

/**
 * Calls a procedure over REST, with each field in the path, the query or the body. An input that is not an object is
 * the body.
 */
export function sendRest(
  visitor: Visitor,
  { method, path }: Pick<RestRoute, 'path'> & { readonly method: string },
  { input, headers = {} }: { input: unknown; headers?: Headers },
): Promise<LightMyRequestResponse> {
  const isObject = typeof input === 'object' && !Array.isArray(input)
  const fields: Record<string, unknown> = isObject ? { ...input } : {}
  const take = (name: string) => {
    const value = fields[name]
    delete fields[name]
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  const url = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => encodeURIComponent(take(name)))
  if (method === 'GET') {
    const query = new URLSearchParams(Object.keys(fields).map((name): [string, string] => [name, take(name)]))
    return visitor.get(query.size > 0 ? `${url}?${query}` : url, headers)
  }
  const body = JSON.stringify(isObject ? fields : input)
  return visitor.raw(method as 'POST', url, body, { 'content-type': 'application/json', ...headers })
}

/** Calls a procedure over one socket of the server on `port`. Returns the errors of the responses in order. */
export async function callOverSocket(
  port: number,
  path: string,
  { inputs, headers = {} }: { inputs: readonly unknown[]; headers?: Headers },
): Promise<{ readonly data?: { readonly httpStatus: number; readonly reason: string }; readonly message?: string }[]> {
  const listener = await openSocket(`ws://127.0.0.1:${port}/trpc`, headers)
  const errors = []
  for (const [id, input] of inputs.entries()) {
    listener.send({ id, method: procedures.get(path)?.type, params: { path, input } })
    errors.push(Object(Object(await listener.next()).error?.json))
  }
  listener.socket.close()
  return errors
}
