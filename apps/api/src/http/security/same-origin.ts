import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { CrossOriginError } from '../../errors.ts'
import { forwardedScheme, trustedProxies } from './trusted-proxies.ts'

/**
 * Throws `CrossOriginError` when a browser says that a page of another site asks. Programs send no `Origin` and
 * carry nobody's cookie by accident, so they pass.
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
    // PUBLIC_URL names the scheme of its host: a page there by the other one is another site's.
    if (sender === null || sender.host === '' || sender.host !== host || host === publicHost)
      throw new CrossOriginError()
    const scheme = forwardedScheme(request, isTrusted)
    // Behind a proxy that ends TLS and says nothing, the browser's scheme is not known here.
    if (scheme !== null && sender.protocol !== `${scheme}:`) throw new CrossOriginError()
  }
}
