import { tokenId, userId } from '@papermoon/engine'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../context.ts'
import { withTimeout } from '../../lib/timeout.ts'
import { callAsGuest, type Guest } from '../calls/guest-call.ts'
import { chooseEncoding, varyByEncoding } from '../compression.ts'
import { toExpectedFailure } from '../error-response.ts'
import { type Effort, type Page, PageCache } from './page-cache.ts'
import type { PageHead } from './page-head.ts'
import { boardHead, fixedHeads, missingHead, plainHead, tokenHead, userHead } from './page-heads.ts'
import { pageOrigin } from './page-origin.ts'
import type { PageShell } from './page-shell.ts'

/** The screen comes without its figures rather than later. */
const READ_MAX_MS = 1_000

const MISSING: ReadonlySet<string> = new Set(['NOT_FOUND', 'TOKEN_NOT_FOUND'])

type Status = 200 | 404

/** What stands at an address. */
interface FoundHead {
  readonly head: PageHead
  readonly status: Status
  /** Whether it is always the same. */
  readonly isFixed: boolean
  /** Null for one that is the same under every host. */
  readonly origin: string | null
}

/** The page of every screen, its head filled by what the screen shows. */
export class ScreenPages {
  readonly #app: App
  readonly #cache: PageCache

  constructor(app: App, shell: PageShell) {
    this.#app = app
    this.#cache = new PageCache(app, shell)
  }

  /** Answers with the page at an address. Where its figures cannot be read, it says what can be said without them. */
  async send(path: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { head, origin, isFixed, status } = await this.#find(path, request)
    // A page of many origins is not worth the time that the best compression takes.
    const effort: Effort = isFixed && (origin === null || origin === this.#app.config.publicUrl) ? 'best' : 'quick'
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    const page = await this.#cache.get({ head, origin, effort, encoding, ip: request.ip })
    return sendPage(page, status, request, reply)
  }

  async #find(path: string, request: FastifyRequest): Promise<FoundHead> {
    const { publicUrl } = this.#app.config
    const origin = pageOrigin(request, this.#app.config)
    const screen = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
    const head = fixedHeads.get(screen)
    if (head !== undefined) return { head, status: 200, isFixed: true, origin }
    const [, kind, id = ''] = screen.split('/')
    const name = kind === 'token' ? 'Token not found' : kind === 'user' ? 'User not found' : '404'
    const missing: FoundHead = { head: missingHead(name), status: 404, isFixed: true, origin: publicUrl }
    try {
      const found = await withTimeout(this.#readHead(screen, id, request.ip), READ_MAX_MS)
      return found === null ? missing : { head: found, status: 200, isFixed: false, origin }
    } catch (error) {
      const failure = toExpectedFailure(error)
      if (failure !== null && MISSING.has(failure.code)) return missing
      return { head: plainHead(), status: 200, isFixed: true, origin: publicUrl }
    }
  }

  /** The head of a screen with figures; null where nothing has such an address. */
  async #readHead(screen: string, id: string, ip: string): Promise<PageHead | null> {
    const guest: Guest = { app: this.#app, ip, header: () => {} }
    if (screen === '/leaderboard') return boardHead(await callAsGuest(guest, 'leaderboard.get', undefined))
    const number = /^[1-9]\d{0,9}$/.test(id) ? Number(id) : null
    const token = tokenId.safeParse(screen.startsWith('/token/') ? number : null)
    if (token.success) return tokenHead(await callAsGuest(guest, 'tokens.get', { id: token.data }))
    const user = userId.safeParse(screen.startsWith('/user/') ? number : null)
    if (!user.success) return null
    return userHead(await callAsGuest(guest, 'users.profile', { id: user.data }))
  }
}

/** Answers with a page, asked for each time; with 304 to whoever has it. A 404 never turns into a 304. */
function sendPage(page: Page, status: Status, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('cache-control', 'no-cache').header('vary', varyByEncoding(reply.getHeader('vary')))
  if (status === 200) {
    reply.header('etag', page.etag)
    if (request.headers['if-none-match']?.includes(page.etag)) return reply.code(304).send()
  }
  if (page.encoding !== null) reply.header('content-encoding', page.encoding)
  return reply.code(status).type('text/html; charset=utf-8').send(page.body)
}
