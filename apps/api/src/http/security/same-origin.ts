import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { CrossOriginError } from '../../errors.ts'
import { forwardedScheme, trustedProxies } from './trusted-proxies.ts'

/**
 * Throws `CrossOriginError` when the `Origin` header names another site. Requests without one pass: browsers send it
 * with every write, and programs carry no cookies by accident.
 */
export function sameOriginGuard(config: Pick<Config, 'publicUrl' | 'trustProxy'>): (request: FastifyRequest) => void {
  const { publicUrl } = config
  const publicHost = publicUrl === null ? null : new URL(publicUrl).host
  const isTrusted = trustedProxies(config)
  return (request) => {
    const { origin } = request.headers
    if (origin === undefined || origin === publicUrl) return
    const sender = URL.canParse(origin) ? new URL(origin) : null
    const host = request.host.toLowerCase()
    // PUBLIC_URL fixes the scheme of its host: the other scheme is another origin.
    if (sender === null || sender.host === '' || sender.host !== host || host === publicHost)
      throw new CrossOriginError()
    const scheme = forwardedScheme(request, isTrusted)
    // Null behind a proxy that ends TLS without saying so.
    if (scheme !== null && sender.protocol !== `${scheme}:`) throw new CrossOriginError()
  }
}
