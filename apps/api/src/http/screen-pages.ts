import type { FastifyRequest } from 'fastify'
import type { App } from '../context.ts'
import type { DomainErrorCode } from '../errors.ts'
import { tokenId, userId } from '../ids.ts'
import { withinTime } from '../within-time.ts'
import { expectedFailure } from './failure.ts'
import { type Guest, guestCall } from './guest-call.ts'
import type { PageHead } from './page-head.ts'
import { boardHead, fixedHeads, missingHead, plainHead, tokenHead, userHead } from './page-heads.ts'
import { pageOrigin } from './page-origin.ts'
import type { Page, PageShell } from './page-shell.ts'

/** A page that is always the same is kept for each origin, this many in all; somebody may send any Host. */
const FIXED_MAX = 500
/** The screen comes without its figures rather than later. */
const READ_MAX_MS = 1_000

const MISSING: ReadonlySet<DomainErrorCode> = new Set(['NOT_FOUND', 'TOKEN_NOT_FOUND'])

/** A page, and whether there is anything at its address. */
export interface FoundPage {
  readonly page: Page
  readonly status: 200 | 404
}

/** What a head is made of: the same object for as long as it says the same; null when it is out of reach. */
interface Subject {
  readonly reading: object
  readonly head: PageHead
}

/** The page of every screen, its head filled by what the screen shows. */
export class ScreenPages {
  readonly #app: App
  readonly #shell: PageShell
  readonly #fixed = new Map<string, Promise<Page>>()
  readonly #filled = new WeakMap<object, Map<string | null, Promise<Page>>>()

  constructor(app: App, shell: PageShell) {
    this.#app = app
    this.#shell = shell
  }

  /** The page at a screen's address. Never throws for what cannot be read: the page then says what can be said without it. */
  async find(path: string, request: FastifyRequest): Promise<FoundPage> {
    const origin = pageOrigin(request, this.#app.config.publicUrl)
    const screen = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
    const head = fixedHeads.get(screen)
    if (head !== undefined) return { page: await this.#fixedPage(head, origin), status: 200 }
    const [, kind, id = ''] = screen.split('/')
    const name = kind === 'token' ? 'Token not found' : kind === 'user' ? 'User not found' : '404'
    try {
      const subject = await withinTime(this.#subjectOf(screen, id, request.ip), READ_MAX_MS)
      if (subject === null) return await this.#missing(name, origin)
      return { page: await this.#filledPage(subject, origin), status: 200 }
    } catch (error) {
      const failure = expectedFailure(error)
      if (failure !== null && MISSING.has(failure.code)) return await this.#missing(name, origin)
      return { page: await this.#fixedPage(plainHead(), origin), status: 200 }
    }
  }

  /** What a screen with figures is about; null where nothing has such an address. */
  async #subjectOf(screen: string, id: string, ip: string): Promise<Subject | null> {
    const guest: Guest = { app: this.#app, ip, header: () => {} }
    if (screen === '/leaderboard') {
      const board = await guestCall(guest, 'leaderboard.get', undefined)
      return { reading: board, head: boardHead(board) }
    }
    const number = /^[1-9]\d{0,9}$/.test(id) ? Number(id) : null
    const token = tokenId.safeParse(screen.startsWith('/token/') ? number : null)
    if (token.success) {
      const found = await guestCall(guest, 'tokens.get', { id: token.data })
      return { reading: found, head: tokenHead(found) }
    }
    const user = userId.safeParse(screen.startsWith('/user/') ? number : null)
    if (!user.success) return null
    const found = await guestCall(guest, 'users.profile', { id: user.data })
    return { reading: found, head: userHead(found) }
  }

  async #missing(name: string, origin: string | null): Promise<FoundPage> {
    return { page: await this.#fixedPage(missingHead(name), origin), status: 404 }
  }

  async #fixedPage(head: PageHead, origin: string | null): Promise<Page> {
    const key = `${origin} ${head.title} ${head.path}`
    const known = this.#fixed.get(key)
    if (known !== undefined) return await known
    // Whoever sends another Host each time gets no more of the machine than that.
    const page = this.#shell(head, origin, this.#app.config.publicUrl === null ? 'often' : 'seldom')
    if (this.#fixed.size < FIXED_MAX) this.#fixed.set(key, page)
    return await page
  }

  /** Kept as long as the reading that it says is. */
  async #filledPage({ reading, head }: Subject, origin: string | null): Promise<Page> {
    const pages = this.#filled.get(reading) ?? new Map<string | null, Promise<Page>>()
    this.#filled.set(reading, pages)
    const page = pages.get(origin) ?? this.#shell(head, origin, 'often')
    if (pages.size < FIXED_MAX) pages.set(origin, page)
    return await page
  }
}
