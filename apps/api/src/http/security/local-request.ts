import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../../config.ts'

/** Headers by which proxies say for whom they ask, beside all that begin with `x-forwarded`. */
const PROXY_HEADERS = new Set([
  'cf-connecting-ip',
  'client-ip',
  'fastly-client-ip',
  'forwarded',
  'true-client-ip',
  'via',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-original-host',
  'x-real-ip',
])

/**
 * Whether a request was made on this machine, for this machine: what came through a proxy here is from elsewhere, whether
 * the proxy is trusted or not. The Host must be loopback too, or a page could ask by DNS rebinding.
 */
export function isLocalRequest({ socket, headers, hostname, raw }: FastifyRequest): boolean {
  const isProxied = Object.keys(headers).some((name) => PROXY_HEADERS.has(name) || name.startsWith('x-forwarded'))
  // nginx speaks HTTP/1.0 to the server behind it, with that server's own address as Host, unless told otherwise.
  if (isProxied || raw.httpVersion === '1.0') return false
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  return isLoopback(address) && isLoopback(hostname.replace(/^\[|\]$/g, ''))
}
