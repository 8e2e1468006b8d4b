import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet from 'helmet'
import type { App } from '../context.ts'

type Headers = Readonly<Record<string, string>>

/** Addresses that a server is known by, a few; somebody may send any. */
const HOSTS_MAX = 100

/**
 * The headers that keep a page from being abused: the library's, worked out once for each host and not for each answer.
 * Beside the server's own files, a page runs the `scripts` that stand in it, named by their hashes.
 */
export function securityHeaders(
  { config, objects }: App,
  scripts: readonly string[],
): (host: string | undefined) => Headers {
  const isTls = config.publicUrl?.startsWith('https:') === true
  const known = new Map<string | undefined, Headers>()
  const headersFor = (sockets: string): Headers =>
    recorded(
      helmet({
        // On plain HTTP both would send browsers to a TLS that is not there.
        strictTransportSecurity: isTls,
        contentSecurityPolicy: {
          useDefaults: false,
          directives: {
            defaultSrc: ["'self'"],
            ...(scripts.length > 0 && { scriptSrc: ["'self'", ...scripts] }),
            // Mantine writes style elements.
            styleSrc: ["'self'", "'unsafe-inline'"],
            imgSrc: ["'self'", 'data:', 'blob:'],
            fontSrc: ["'self'", 'data:'],
            // Some browsers do not count a WebSocket to the same host as 'self'.
            connectSrc: ["'self'", sockets, ...(objects.uploadOrigin === null ? [] : [objects.uploadOrigin])],
            objectSrc: ["'none'"],
            baseUri: ["'self'"],
            formAction: ["'self'"],
            frameAncestors: ["'none'"],
            ...(isTls && { upgradeInsecureRequests: [] }),
          },
        },
      }),
    )
  return (host) => {
    const kept = known.get(host)
    if (kept !== undefined) return kept
    const headers = headersFor(socketSource(host, config.publicUrl))
    if (known.size < HOSTS_MAX) known.set(host, headers)
    return headers
  }
}

/** What a middleware sets on an answer. */
function recorded(middleware: ReturnType<typeof helmet>): Headers {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  middleware(request, response, () => {})
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]))
}

function socketSource(host: string | undefined, publicUrl: string | null): string {
  if (publicUrl !== null) return publicUrl.replace(/^http/, 'ws')
  // Nothing but a host's own characters gets into the policy.
  return host !== undefined && /^[\w.:[\]-]+$/.test(host) ? `ws://${host} wss://${host}` : "'self'"
}
