import { isFairToken } from '@papermoon/contract/fair-tokens'
import { withTimeout } from '@papermoon/db'
import { type TokenId, tokenId, userId } from '@papermoon/engine'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../context.ts'
import { callAsGuest, type Guest } from '../calls/guest-call.ts'
import { chooseEncoding, varyByEncoding } from '../calls/response-cache.ts'
import { toExpectedFailure } from '../error-response.ts'
import { parseAt } from '../og/cards.ts'
import { pageOrigin } from './fixed-page.ts'
import { BEST, type Page, PageCache, QUICK } from './page-cache.ts'
import {
  boardHead,
  fairHead,
  fixedHeads,
  guideHead,
  missingHead,
  momentHead,
  plainHead,
  tokenHead,
  userHead,
} from './page-heads.ts'
import type { PageHead, PageShell } from './page-shell.ts'

/** Max time to wait for the data of a screen, in ms. After this time, the page is sent without the data. */
const READ_MAX_MS = 1_000

const MISSING: ReadonlySet<string> = new Set(['NOT_FOUND', 'TOKEN_NOT_FOUND'])

type Status = 200 | 404

/** The head for a requested path. */
interface FoundHead {
  readonly head: PageHead
  readonly status: Status
  /** Whether the page can never change. */
  readonly isFixed: boolean
  /** The origin from which the page was requested. The origin is null if the page does not depend on the host. */
  readonly origin: string | null
}

/** Serves the page of every screen, with the screen's data in the head. */
export class ScreenPages {
  readonly #app: App
  readonly #cache: PageCache

  constructor(app: App, shell: PageShell) {
    this.#app = app
    this.#cache = new PageCache(app, shell)
  }

  /** Responds with the page at a path. If the page's data cannot be read in time, the page contains no data. */
  async send(path: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { head, origin, isFixed, status } = await this.#find(path, request)
    // Use the best compression only for pages of a single origin, because it is slow.
    const effort = isFixed && (origin === null || origin === this.#app.platform.config.publicUrl) ? BEST : QUICK
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    const page = await this.#cache.get({ head, origin, effort, encoding, ip: request.ip })
    return sendPage(page, status, request, reply)
  }

  async #find(path: string, request: FastifyRequest): Promise<FoundHead> {
    const { publicUrl } = this.#app.platform.config
    const origin = pageOrigin(request, this.#app.platform.config)
    const screen = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
    const head = fixedHeads.get(screen)
    if (head !== undefined) {
      return { head: screen === '/developers' ? guideHead(head) : head, status: 200, isFixed: true, origin }
    }
    const [, kind, id = ''] = screen.split('/')
    const name = kind === 'token' ? 'Token not found' : kind === 'user' ? 'User not found' : '404'
    const missing: FoundHead = { head: missingHead(name), status: 404, isFixed: true, origin: publicUrl }
    try {
      const found = await withTimeout(this.#readHead(screen, id, request), READ_MAX_MS)
      return found === null ? missing : { head: found, status: 200, isFixed: false, origin }
    } catch (error) {
      const failure = toExpectedFailure(error)
      // Respond to the id of a token in a room as to an unknown id. Members of the room see the token when the page's
      // script has run.
      if (failure?.code === 'TOKEN_NOT_FOUND' && isFairToken(Number(id))) {
        return { ...missing, head: missingHead('Token'), status: 200 }
      }
      if (failure !== null && MISSING.has(failure.code)) return missing
      return { head: plainHead(), status: 200, isFixed: true, origin: publicUrl }
    }
  }

  /** Returns the head of a screen with its data; null if there is no such screen. */
  async #readHead(screen: string, id: string, { ip, query }: FastifyRequest): Promise<PageHead | null> {
    const guest: Guest = { app: this.#app, ip, header: () => {} }
    if (screen === '/leaderboard') return boardHead(await callAsGuest(guest, 'leaderboard.get', undefined))
    const number = /^[1-9]\d{0,9}$/.test(id) ? Number(id) : null
    if (screen.startsWith('/fairs/')) return number === null ? null : await readFairHead(guest, number)
    const token = tokenId.safeParse(screen.startsWith('/token/') ? number : null)
    if (token.success) return await readTokenHead(guest, token.data, parseAt(query))
    const user = userId.safeParse(screen.startsWith('/user/') ? number : null)
    if (!user.success) return null
    return userHead(await callAsGuest(guest, 'users.profile', { id: user.data }))
  }
}

/** Returns the head of a fair's page. A room has the same head as an unknown fair. */
async function readFairHead(guest: Guest, id: number): Promise<PageHead> {
  try {
    return fairHead(id, await callAsGuest(guest, 'fairs.get', { id }))
  } catch (error) {
    if (toExpectedFailure(error)?.code === 'FAIR_NOT_FOUND') return fairHead(id, null)
    throw error
  }
}

/**
 * Returns the head of a token's page, either now or at the sequence number `at`. If `at` is higher than the token's
 * last number, returns the current head.
 */
async function readTokenHead(guest: Guest, id: TokenId, at: number | null): Promise<PageHead> {
  const token = await callAsGuest(guest, 'tokens.get', { id })
  if (at === null || at > token.seq) return tokenHead(token, guest.app.platform.clock.now())
  return momentHead(await callAsGuest(guest, 'past.moment', { tokenId: id, seq: at }))
}

/**
 * Responds with a page that browsers must revalidate each time, or with status 304. If the page has status 404, the
 * status stays 404.
 */
function sendPage(page: Page, status: Status, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('cache-control', 'no-cache').header('vary', varyByEncoding(reply.getHeader('vary')))
  if (status === 200) {
    reply.header('etag', page.etag)
    if (request.headers['if-none-match']?.includes(page.etag)) return reply.code(304).send()
  }
  if (page.encoding !== null) reply.header('content-encoding', page.encoding)
  return reply.code(status).type('text/html; charset=utf-8').send(page.body)
}
