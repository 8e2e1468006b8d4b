import helmet from '@fastify/helmet'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { App } from '../context.ts'
import { answerPreflight, isKeyPreflight, openToKeys } from './cross-origin-keys.ts'
import { assertSameOrigin } from './same-origin.ts'

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Headers that keep a page from being abused, and the refusal of what other sites' pages ask. */
export const security = fp<{ app: App }>(
  async (fastify, { app: { config, objects } }) => {
    const isTls = config.publicUrl?.startsWith('https:') === true
    await fastify.register(helmet, {
      // On plain HTTP both would send browsers to a TLS that is not there.
      strictTransportSecurity: isTls,
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          // Mantine writes style elements.
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'data:', 'blob:'],
          fontSrc: ["'self'", 'data:'],
          // Some browsers do not count a WebSocket to the same host as 'self'.
          connectSrc: [
            "'self'",
            (request) => socketSource(request.headers.host, config.publicUrl),
            ...(objects.uploadOrigin === null ? [] : [objects.uploadOrigin]),
          ],
          objectSrc: ["'none'"],
          baseUri: ["'self'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
          ...(isTls && { upgradeInsecureRequests: [] }),
        },
      },
    })
    fastify.addHook('onRequest', async (request, reply) => {
      if (isKeyPreflight(request)) return answerPreflight(reply)
      // A browser adds no key by itself: whoever sends one means it, wherever the page is from.
      if (openToKeys(request, reply)) return
      if (!READING.has(request.method) || isUpgrade(request)) assertSameOrigin(request, config.publicUrl)
    })
  },
  { name: 'security', dependencies: ['live-sockets'] },
)

function isUpgrade(request: FastifyRequest): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket'
}

function socketSource(host: string | undefined, publicUrl: string | null): string {
  if (publicUrl !== null) return publicUrl.replace(/^http/, 'ws')
  // Nothing but a host's own characters gets into the policy.
  return host !== undefined && /^[\w.:[\]-]+$/.test(host) ? `ws://${host} wss://${host}` : "'self'"
}
