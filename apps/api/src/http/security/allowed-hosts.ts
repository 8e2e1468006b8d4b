import type { FastifyRequest } from 'fastify'
import { BadInputError, ForeignHostError } from '../../errors.ts'

/** Health checks, which can use any of the machine's IP addresses. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz'])
const PORT = /:\d{1,5}$/

/**
 * Returns a check that throws `BadInputError` for an impossible host, such as localhost:99999, and for an HTTP/1.1
 * request without a host. Health checks may send an empty host.
 */
export function createHostCheck(): (request: FastifyRequest) => void {
  // Cache the last valid host, because most requests name the same one.
  let last = ''
  return ({ host, raw }) => {
    const isMissing = raw.headers.host === undefined && raw.httpVersion === '1.1'
    if (!isMissing && (host === last || host === '')) return
    if (isMissing || !URL.canParse(`http://${host}`)) throw new BadInputError('The Host header names no host.')
    last = host
  }
}

/** Throws `ForeignHostError` if the request's host is not in ALLOWED_HOSTS. An empty list allows all hosts. */
export function assertAllowedHost(request: FastifyRequest, allowedHosts: readonly string[]): void {
  if (isAllowedHost(request.host, allowedHosts) || PROBES.has(request.url.split('?')[0] ?? '')) return
  throw new ForeignHostError()
}

/** Returns whether a host is allowed. An entry without a port allows every port. */
export function isAllowedHost(host: string, allowedHosts: readonly string[]): boolean {
  if (allowedHosts.length === 0) return true
  const asked = host.toLowerCase()
  return allowedHosts.includes(asked) || allowedHosts.includes(asked.replace(PORT, ''))
}
