import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { Counter } from 'prom-client'
import type { AppPart } from '../../context.ts'
import { RateLimitedError } from '../../errors.ts'
import { registerGauge } from '../../lib/gauge.ts'
import { compress, createCompressionQueue, type Effort, type Encoding, NoRoomError } from '../calls/response-cache.ts'
import type { PageShell } from './page-shell.ts'
import { type PageHead, renderHead } from './page-shell.ts'

/** Max number of origins whose pages are cached. Without PUBLIC_URL, the client chooses the origin. */
const ORIGINS_MAX = 8
/** How long an origin stays cached after its last request in ms, even if other hosts are requested. */
const ORIGIN_CACHED_MS = 60_000
const BYTES_MAX = 64 * 1_048_576
/** Estimated size in bytes of a cache entry without its page. */
const ENTRY_BYTES = 512
/** Number of reads as which compressing a page counts in the rate limit. */
const COMPRESSION_READS = 5

/** Compression levels for pages that trades change. */
export const QUICK: Effort = { br: 4, gzip: 4 }
/** Compression levels for fixed pages. */
export const BEST: Effort = { br: 11, gzip: 9 }

/** A page in the form that is sent. */
export interface Page {
  readonly body: Buffer
  readonly encoding: Encoding | null
  readonly etag: string
}

export interface PageRequest {
  readonly head: PageHead
  /** The origin. Null if the page does not depend on the host. */
  readonly origin: string | null
  readonly effort: Effort
  /** The encoding of the cached page. The encoding is null if the client accepts no compression. */
  readonly encoding: Encoding | null
  readonly ip: string
}

interface CachedPage {
  /** The parts of a page that can change while its URL stays the same. */
  readonly variable: string
  readonly page: Page
}

type Parts = AppPart<'clock' | 'limits' | 'log' | 'metrics'>

/**
 * Compressed pages, cached by origin, path and encoding. Compressing a page counts against the caller's limit for
 * reads. If the caller has no reads left, or if more than ORIGINS_MAX origins are in use, the page is sent
 * uncompressed.
 */
export class PageCache {
  readonly #app: Parts
  readonly #shell: PageShell
  readonly #pages = new LRUCache<string, CachedPage>({
    maxSize: BYTES_MAX,
    sizeCalculation: ({ variable, page }) => ENTRY_BYTES + 2 * variable.length + page.body.length,
  })
  /** Time of the last request to each origin, in ms. The origin whose last request is oldest comes first. */
  readonly #origins = new Map<string, number>()
  readonly #pending = new Map<string, Promise<Page | null>>()
  readonly #work = createCompressionQueue()
  readonly #compressions: Counter
  #hasWarned = false

  constructor(app: Parts, shell: PageShell) {
    this.#app = app
    this.#shell = shell
    const { metrics } = app.platform
    const help = 'Pages compressed.'
    this.#compressions = new Counter({ name: 'papermoon_pages_packed_total', help, registers: [metrics] })
    const origins = this.#origins
    const pages = this.#pages
    registerGauge(metrics, 'papermoon_page_cache_origins', 'Origins whose pages are cached.', () => origins.size)
    registerGauge(metrics, 'papermoon_page_cache_pages', 'Compressed pages in the cache.', () => pages.size)
    registerGauge(metrics, 'papermoon_page_cache_bytes', 'Size of the cached pages.', () => pages.calculatedSize)
  }

  async get(request: PageRequest): Promise<Page> {
    const { head, origin, encoding } = request
    if (encoding === null || !this.#admit(origin)) return this.#compose(request)
    const key = `${prefixFor(origin)}${encoding} ${head.path ?? head.title}`
    const variable = `${renderHead(head, origin)}${JSON.stringify(head.words ?? null)}`
    const cached = this.#pages.get(key)
    if (cached?.variable === variable) return cached.page
    const page = await this.#compressOnce(`${key}\n${variable}`, { ...request, encoding })
    if (page === null) return this.#compose(request)
    // Check again, because another call may have removed the origin from the cache meanwhile.
    if (origin === null || this.#origins.has(origin)) this.#pages.set(key, { variable, page })
    return page
  }

  /** Returns whether to cache the pages of an origin. Removes an origin from the cache that nobody uses any more. */
  #admit(origin: string | null): boolean {
    if (origin === null) return true
    const nowMs = this.#app.platform.clock.now().getTime()
    if (!this.#origins.delete(origin) && this.#origins.size >= ORIGINS_MAX) {
      const [[oldest, seenMs] = ['', 0]] = this.#origins
      if (nowMs - seenMs < ORIGIN_CACHED_MS) {
        this.#warnOnce()
        return false
      }
      this.#origins.delete(oldest)
      this.#dropPages(oldest)
    }
    this.#origins.set(origin, nowMs)
    return true
  }

  #warnOnce(): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    this.#app.platform.log.warn(
      `pages are asked for under more than ${ORIGINS_MAX} hosts: set PUBLIC_URL or ALLOWED_HOSTS, or some are sent uncompressed`,
    )
  }

  #dropPages(origin: string): void {
    const prefix = prefixFor(origin)
    for (const key of [...this.#pages.keys()]) if (key.startsWith(prefix)) this.#pages.delete(key)
  }

  #compose({ head, origin }: PageRequest): Page {
    const body = Buffer.from(this.#shell(head, origin))
    return { body, encoding: null, etag: etagFor(body) }
  }

  /**
   * Compresses a page. Returns null if the caller has no reads left in the rate limit, or if too many pages are
   * waiting. Concurrent calls for the same page share one result.
   */
  #compressOnce(name: string, request: PageRequest & { readonly encoding: Encoding }): Promise<Page | null> {
    const pending = this.#pending.get(name) ?? this.#compress(request).finally(() => this.#pending.delete(name))
    this.#pending.set(name, pending)
    return pending
  }

  async #compress(request: PageRequest & { readonly encoding: Encoding }): Promise<Page | null> {
    const { ip, encoding, effort } = request
    try {
      await this.#app.accounts.limits.spend({ ip, header: () => {} }, 'read', COMPRESSION_READS)
      const { body, etag } = this.#compose(request)
      const compressed = await this.#work(ip, () => compress(body, encoding, effort))
      this.#compressions.inc()
      return { body: compressed, encoding, etag }
    } catch (error) {
      if (error instanceof RateLimitedError || error instanceof NoRoomError) return null
      throw error
    }
  }
}

/** Returns the prefix of all cache keys of an origin. The prefix ends with a space, because no origin contains one. */
function prefixFor(origin: string | null): string {
  return `${origin ?? ''} `
}

/** Returns a weak ETag of the uncompressed page. All encodings of the page have the same ETag. */
function etagFor(body: Buffer): string {
  return `W/"${createHash('sha256').update(body).digest('base64url')}"`
}
