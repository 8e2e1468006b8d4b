import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { CacheHandle } from '../../cache/query-cache.ts'
import type { App } from '../../context.ts'
import { chooseEncoding } from '../compression.ts'
import { trustedProxies } from '../security/trusted-proxies.ts'

/** An answer that was given, as it can be given again. */
interface CachedAnswer {
  readonly origin: CacheHandle
  /** The shared value that the answer was made of. */
  readonly value: object
  readonly route: string
  /** What asking costs of the `read` limit. */
  readonly reads: number
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: Buffer | string
  readonly bytes: number
}

/** What an answer was made of. */
export interface GivenAnswer {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly output: unknown
  readonly reads: number
  readonly body: Buffer | string
}

/** Of all answers together, headers and addresses counted with `OVERHEAD_BYTES`. */
const BYTES_MAX = 64 * 1_048_576
const OVERHEAD_BYTES = 4_096
/** No address of ours comes near it. */
const KEY_CHARS_MAX = 512
/** Counted anew for each answer. */
const COUNTED = /^ratelimit-/

/**
 * Answers of the REST door that are the same for everybody, given again before the web framework sees the request, as long as
 * the shared reading that they were made of is right. Each still counts against the limit of reads and in the metrics. What
 * is not known here, or brings a key, goes the way of every request. Those asked for last are kept, within a bound.
 */
export class AnswerCache {
  readonly #app: App
  readonly #replays = new Map<string, CachedAnswer>()
  #bytes = 0

  constructor(app: App) {
    this.#app = app
  }

  /** Remembers an answer if everybody shares what it was made of. */
  store({ request, reply, output, reads, body }: GivenAnswer): void {
    const value = typeof output === 'object' && output !== null ? output : {}
    const origin = this.#app.queryCache.findHandle(value)
    const isForAll = request.headers.authorization === undefined && !reply.hasHeader('set-cookie')
    const key = toKey(request.raw)
    if (origin === undefined || request.method !== 'GET' || !isForAll || key.length > KEY_CHARS_MAX) return
    const given = Object.entries(reply.getHeaders()).filter(([name]) => !COUNTED.test(name))
    const length = Buffer.byteLength(body)
    const headers = {
      ...Object.fromEntries(given.map(([name, said]) => [name, String(said)])),
      'content-length': length,
    }
    const route = request.routeOptions.url ?? ''
    this.#keep(key, { origin, value, route, reads, headers, body, bytes: length + OVERHEAD_BYTES })
  }

  /** The answer to a request, or null where it has to be made. */
  find(request: IncomingMessage): CachedAnswer | null {
    if (request.method !== 'GET' || request.headers.authorization !== undefined) return null
    const key = toKey(request)
    const replay = this.#replays.get(key)
    if (replay === undefined) return null
    this.#drop(key)
    if (this.#app.queryCache.peek(replay.origin) !== replay.value) return null
    this.#keep(key, replay)
    return replay
  }

  #keep(key: string, replay: CachedAnswer): void {
    this.#drop(key)
    this.#replays.set(key, replay)
    this.#bytes += replay.bytes
    for (const oldest of this.#replays.keys()) {
      if (this.#bytes <= BYTES_MAX) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#replays.get(key)?.bytes ?? 0
    this.#replays.delete(key)
  }
}

/** Everything that an answer depends on, beside what is read; a line each, since no header holds a line's end. */
function toKey({ headers, url }: IncomingMessage): string {
  return `${headers.host}\n${headers['x-forwarded-host']}\n${chooseEncoding(headers['accept-encoding'])}\n${url}`
}

/** Puts the replays before the web framework. */
export const cachedAnswers = fp<{ app: App; answers: AnswerCache }>(
  async (fastify, { app, answers }) => {
    const isTrusted = trustedProxies(app.config)
    let isClosing = false
    fastify.addHook('preClose', async () => {
      isClosing = true
    })
    fastify.addHook('onReady', async () => {
      const server = fastify.server as Server
      const ways = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
      server.removeAllListeners('request')
      server.on('request', (request, response) => {
        const startMs = performance.now()
        const goOn = () => {
          for (const way of ways) way.call(server, request, response)
        }
        const replay = isClosing ? null : answers.find(request)
        if (replay === null) return goOn()
        const counted: Record<string, string> = {}
        const caller = {
          ip: String(proxyAddress(request, isTrusted)),
          header: (name: string, value: string) => {
            counted[name.toLowerCase()] = value
          },
        }
        // Who has asked too much is told so by the usual way.
        app.limits.spend(caller, 'read', replay.reads).then(() => {
          response.writeHead(200, { ...replay.headers, ...counted }).end(replay.body)
          const seconds = (performance.now() - startMs) / 1_000
          fastify.observeRequest({ method: 'GET', route: replay.route, status: 200, seconds })
        }, goOn)
      })
    })
  },
  { name: 'replays', dependencies: ['metrics'] },
)
