import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../../config.ts'

/** Headers that proxies add, beside all that begin with `x-forwarded`. */
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
 * Whether a request comes from this machine and not through a proxy, trusted or not. The Host must be loopback too:
 * with DNS rebinding a web page can reach loopback, but only under its own host name.
 */
export function isLocalRequest({ socket, headers, hostname, raw }: FastifyRequest): boolean {
  const isProxied = Object.keys(headers).some((name) => PROXY_HEADERS.has(name) || name.startsWith('x-forwarded'))
  // By default nginx proxies with HTTP/1.0, the upstream's own address as Host, and no header of a proxy.
  if (isProxied || raw.httpVersion === '1.0') return false
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  return isLoopback(address) && isLoopback(hostname.replace(/^\[|\]$/g, ''))
}
