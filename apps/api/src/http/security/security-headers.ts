import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import helmet from 'helmet'
import type { Config } from '../../config.ts'
import type { App } from '../../context.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route responds with a page, although its path is one for calls. */
    readonly isPage?: true
  }
}

type Headers = Readonly<Record<string, string>>

/** Matches paths of calls, whose responses are data. */
const DATA = /^\/(api|trpc)(\/|\?|$)/
/**
 * Headers for responses with data. If a browser opens data as a page, they prevent it from running, loading or
 * embedding anything.
 */
const DATA_HEADERS: Headers = {
  'content-security-policy': "default-src 'none';object-src 'none';base-uri 'none';frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** A placeholder for our WebSocket URLs in the policy. */
const SOCKETS = 'wss://sockets.invalid'

/**
 * Browser features that no page uses. Names that browsers do not know would only cause a warning, so they are left out.
 */
const DENIED = [
  'accelerometer autoplay browsing-topics camera clipboard-read compute-pressure display-capture',
  'encrypted-media fullscreen gamepad geolocation gyroscope hid identity-credentials-get idle-detection',
  'keyboard-map local-fonts magnetometer microphone midi otp-credentials payment picture-in-picture',
  'screen-wake-lock serial storage-access sync-xhr usb window-management xr-spatial-tracking',
].flatMap((names) => names.split(' '))
/** Browser features that copy buttons and passkeys need. */
const OWN = ['clipboard-write', 'publickey-credentials-create', 'publickey-credentials-get']
const PERMISSIONS = [...DENIED.map((name) => `${name}=()`), ...OWN.map((name) => `${name}=(self)`)].join(', ')

/** The value of Strict-Transport-Security that helmet sends. */
export const HSTS = 'max-age=31536000; includeSubDomains'

/** Returns whether players reach the server over HTTPS. */
function hasTls({ publicUrl }: Pick<Config, 'publicUrl'>): boolean {
  return publicUrl?.startsWith('https:') === true
}

/** Returns the headers for data, which also fit responses that a library creates before any hook runs. */
export function getDataHeaders(config: Config): Headers {
  return hasTls(config) ? { ...DATA_HEADERS, 'strict-transport-security': HSTS } : DATA_HEADERS
}

/**
 * Returns helmet's security headers, computed once instead of for each response. Pages can run only the server's own
 * script files, and the inline `scripts` with these CSP hashes.
 */
export function securityHeaders(
  { platform: { config } }: App,
  scripts: readonly string[],
): (request: FastifyRequest) => Headers {
  const isTls = hasTls(config)
  const headers = recorded(
    helmet({
      // Use this and upgradeInsecureRequests below only with TLS. Otherwise, they would send browsers to a TLS port
      // that does not exist.
      strictTransportSecurity: isTls,
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          ...(scripts.length > 0 && { scriptSrc: ["'self'", ...scripts] }),
          // Allow style elements, because Mantine writes them.
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'data:', 'blob:'],
          fontSrc: ["'self'", 'data:'],
          // Name the sockets explicitly, because in some browsers 'self' does not include a WebSocket to the same host.
          connectSrc: ["'self'", SOCKETS],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
          // Only the app's own policy can turn text into HTML or a script (apps/web/src/lib/boot/trusted-types.ts).
          requireTrustedTypesFor: ["'script'"],
          trustedTypes: ['default'],
          ...(isTls && { upgradeInsecureRequests: [] }),
        },
      },
    }),
  )
  const [before = '', after = ''] = (headers['content-security-policy'] ?? '').split(SOCKETS)
  const dataHeaders = getDataHeaders(config)
  return ({ url, headers: { host }, routeOptions }) =>
    DATA.test(url) && routeOptions.config?.isPage !== true
      ? dataHeaders
      : {
          ...headers,
          'content-security-policy': `${before}${socketSource(host, config.publicUrl)}${after}`,
          'permissions-policy': PERMISSIONS,
        }
}

/** Returns the headers that a middleware sets. */
function recorded(middleware: ReturnType<typeof helmet>): Headers {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  middleware(request, response, () => {})
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]))
}

function socketSource(host: string | undefined, publicUrl: string | null): string {
  if (publicUrl !== null) return publicUrl.replace(/^http/, 'ws')
  // Allow only characters of host names in the policy, because the Host header is not trusted.
  return host !== undefined && /^[\w.:[\]-]+$/.test(host) ? `ws://${host} wss://${host}` : "'self'"
}
