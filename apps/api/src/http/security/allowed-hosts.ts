import type { FastifyRequest } from 'fastify'
import { ForeignHostError } from '../../errors.ts'

/** Probes ask by whatever address the machine has. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz'])
const PORT = /:\d{1,5}$/

/** Throws `ForeignHostError` for a request for a host that ALLOWED_HOSTS does not name; an empty list allows all. */
export function assertAllowedHost(request: FastifyRequest, allowedHosts: readonly string[]): void {
  if (isAllowedHost(request.host, allowedHosts) || PROBES.has(request.url.split('?')[0] ?? '')) return
  throw new ForeignHostError()
}

/** An allowed host without a port stands for all its ports. */
export function isAllowedHost(host: string, allowedHosts: readonly string[]): boolean {
  if (allowedHosts.length === 0) return true
  const asked = host.toLowerCase()
  return allowedHosts.includes(asked) || allowedHosts.includes(asked.replace(PORT, ''))
}
