import type { FastifyRequest } from 'fastify'
import { CrossOriginError } from '../errors.ts'

/**
 * Throws `CrossOriginError` when a browser says that a page of another site asks. Programs send no `Origin` and
 * carry nobody's cookie by accident, so they pass.
 */
export function assertSameOrigin(request: FastifyRequest, publicUrl: string | null): void {
  const { origin } = request.headers
  if (origin === undefined) return
  const sender = URL.canParse(origin) ? new URL(origin) : null
  // Hosts are compared: behind a proxy that ends TLS the scheme here is not the browser's.
  if (sender !== null && sender.host !== '' && sender.host === request.host.toLowerCase()) return
  if (sender !== null && publicUrl !== null && sender.origin === new URL(publicUrl).origin) return
  throw new CrossOriginError()
}
