import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { Counter, Gauge } from 'prom-client'
import type { App } from '../../context.ts'
import { RateLimitedError } from '../../errors.ts'
import { createWorkQueue } from '../../lib/work-queue.ts'
import type { Encoding } from '../compression.ts'
import { type PageHead, renderHead } from './page-head.ts'
import type { PageShell } from './page-shell.ts'

/** Origins whose pages are cached. Without PUBLIC_URL an origin is what the client says it is. */
const ORIGINS_MAX = 8
/** An origin keeps its place for so long after it was asked for: made-up hosts never push out one in use. */
const ORIGIN_KEPT_MS = 60_000
const BYTES_MAX = 64 * 1_048_576
/** An estimate of what an entry takes beside its page. */
const ENTRY_BYTES = 512
/** Half a millisecond of CPU, against a tenth for a read. */
const PACKING_READS = 5
/** Leaves threads of Node's pool of four to files and name lookups. */
const RUNNING_MAX = 2
const WAITING_MAX = 32

/** A page that many trades change is packed quickly; one that stays the same, well. */
export type Effort = 'quick' | 'best'
const BROTLI_QUALITY: Readonly<Record<Effort, number>> = { quick: 4, best: 11 }
const GZIP_LEVEL: Readonly<Record<Effort, number>> = { quick: 4, best: 9 }

/** A page as it is sent. */
export interface Page {
  readonly body: Buffer
  readonly encoding: Encoding | null
  readonly etag: string
}

export interface PageRequest {
  readonly head: PageHead
  /** Null for a page that is the same under every host. */
  readonly origin: string | null
  readonly effort: Effort
  /** Null for a client that takes no encoding. */
  readonly encoding: Encoding | null
  readonly ip: string
}

interface CachedPage {
  /** Everything in the page that differs from the others at its address. */
  readonly variable: string
  readonly page: Page
}

type Parts = Pick<App, 'clock' | 'limits' | 'log' | 'metrics'>

class NoRoomError extends Error {}

/**
 * Compressed pages by origin, address and encoding. Packing counts against the caller's reads; for a caller without any
 * left, and for an origin beyond the first eight in use, the page is composed and sent as it is.
 */
export class PageCache {
  readonly #app: Parts
  readonly #shell: PageShell
  readonly #pages = new LRUCache<string, CachedPage>({
    maxSize: BYTES_MAX,
    sizeCalculation: ({ variable, page }) => ENTRY_BYTES + 2 * variable.length + page.body.length,
  })
  /** When each origin was asked for last. */
  readonly #origins = new LRUCache<string, number>({
    max: ORIGINS_MAX,
    noDisposeOnSet: true,
    dispose: (_, origin) => this.#dropPages(origin),
  })
  readonly #packing = new Map<string, Promise<Page | null>>()
  readonly #work = createWorkQueue({ runningMax: RUNNING_MAX, waitingMax: WAITING_MAX, full: () => new NoRoomError() })
  readonly #packed: Counter
  #hasWarned = false

  constructor(app: Parts, shell: PageShell) {
    this.#app = app
    this.#shell = shell
    const registers = [app.metrics]
    this.#packed = new Counter({ name: 'papermoon_pages_packed_total', help: 'Pages compressed.', registers })
    const sizes = [
      ['origins', 'Origins whose pages are cached.', () => this.#origins.size],
      ['pages', 'Compressed pages in the cache.', () => this.#pages.size],
      ['bytes', 'Size of the cached pages.', () => this.#pages.calculatedSize],
    ] as const
    for (const [name, help, size] of sizes) {
      const gauge: Gauge = new Gauge({
        name: `papermoon_page_cache_${name}`,
        help,
        registers,
        collect: () => gauge.set(size()),
      })
    }
  }

  async get(request: PageRequest): Promise<Page> {
    const { head, origin, encoding } = request
    if (encoding === null || !this.#admits(origin)) return this.#composed(request)
    const key = `${prefixFor(origin)}${encoding} ${head.path ?? head.title}`
    const variable = `${renderHead(head, origin)}${JSON.stringify(head.words ?? null)}`
    const cached = this.#pages.get(key)
    if (cached?.variable === variable) return cached.page
    const page = await this.#packOnce(`${key}\n${variable}`, { ...request, encoding })
    if (page === null) return this.#composed(request)
    // Its origin may have lost its place meanwhile.
    if (origin === null || this.#origins.has(origin)) this.#pages.set(key, { variable, page })
    return page
  }

  /** Whether pages of an origin are cached; takes the place of one that is no longer in use. */
  #admits(origin: string | null): boolean {
    if (origin === null) return true
    const nowMs = this.#app.clock.now().getTime()
    if (!this.#origins.has(origin) && this.#origins.size >= ORIGINS_MAX) {
      const [oldest = ''] = this.#origins.rkeys()
      if (nowMs - (this.#origins.peek(oldest) ?? 0) < ORIGIN_KEPT_MS) {
        this.#warnOnce()
        return false
      }
    }
    this.#origins.set(origin, nowMs)
    return true
  }

  #warnOnce(): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    this.#app.log.warn(
      `pages are asked for under more than ${ORIGINS_MAX} hosts: set PUBLIC_URL or ALLOWED_HOSTS, or some are sent uncompressed`,
    )
  }

  #dropPages(origin: string): void {
    const prefix = prefixFor(origin)
    for (const key of [...this.#pages.keys()]) if (key.startsWith(prefix)) this.#pages.delete(key)
  }

  #composed({ head, origin }: PageRequest): Page {
    const body = Buffer.from(this.#shell(head, origin))
    return { body, encoding: null, etag: etagFor(body) }
  }

  /** Null where the caller has no reads left, or too many pages wait. Whoever comes meanwhile shares the result. */
  #packOnce(name: string, request: PageRequest & { readonly encoding: Encoding }): Promise<Page | null> {
    const packing = this.#packing.get(name) ?? this.#pack(request).finally(() => this.#packing.delete(name))
    this.#packing.set(name, packing)
    return packing
  }

  async #pack(request: PageRequest & { readonly encoding: Encoding }): Promise<Page | null> {
    const { ip, encoding, effort } = request
    try {
      await this.#app.limits.spend({ ip, header: () => {} }, 'read', PACKING_READS)
      const { body, etag } = this.#composed(request)
      const packed = await this.#work(() => pack[encoding](body, effort))
      this.#packed.inc()
      return { body: packed, encoding, etag }
    } catch (error) {
      if (error instanceof RateLimitedError || error instanceof NoRoomError) return null
      throw error
    }
  }
}

const pack: Record<Encoding, (body: Buffer, effort: Effort) => Promise<Buffer>> = {
  br: (body, effort) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort] } }),
  gzip: (body, effort) => promisify(gzip)(body, { level: GZIP_LEVEL[effort] }),
}

/** No origin holds a space. */
function prefixFor(origin: string | null): string {
  return `${origin ?? ''} `
}

/** Of what the page says, in whatever encoding. */
function etagFor(body: Buffer): string {
  return `W/"${createHash('sha256').update(body).digest('base64url')}"`
}
