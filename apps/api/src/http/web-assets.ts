import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { App } from '../context.ts'
import { NotFoundError } from '../errors.ts'
import { sendFailure } from './error-response.ts'
import { pageShell } from './pages/page-shell.ts'
import { ScreenPages } from './pages/screen-pages.ts'

/** The addresses of the web app's screens; any other shows its page for what is not found. */
const SCREENS = [
  /^\/$/,
  /^\/(auth|forgot-password|reset-password|verify-email|settings|launch|dashboard|portfolio|leaderboard|docs|proof)\/?$/,
  /^\/(token|user)\/[^/]+\/?$/,
]

const HASHED_CACHE = 'public, max-age=31536000, immutable'
const PLAIN_CACHE = 'public, max-age=3600'
/** Asked each time, answered by 304 while nothing changed. */
const PAGE_CACHE = 'no-cache'
/** Pages, and the service worker with what it keeps: an old one must not outlive its build. */
const ASKED_EACH_TIME = /(\.html|\/sw\.js|\/offline\.js|\.webmanifest)(\.br|\.gz)?$/

export interface WebAssetsOptions {
  readonly app: App
  /** The built web app; null, or a folder without one, where only the API is wanted. */
  readonly webRoot: string | null
}

/** The web app: its files, compressed at build time, and its page for every screen's address. */
export const webAssets = fp<WebAssetsOptions>(
  async (fastify, { app, webRoot }) => {
    const isBuilt = webRoot !== null && existsSync(join(webRoot, 'index.html'))
    if (isBuilt) {
      await fastify.register(fastifyStatic, {
        root: webRoot,
        // A route for each file: one for everything would stand before what /api says of unknown addresses.
        wildcard: false,
        index: false,
        preCompressed: true,
        cacheControl: false,
        setHeaders: (reply, path) => {
          reply.header('cache-control', chooseCacheControl(path.replaceAll('\\', '/')))
        },
      })
    }
    const pages = isBuilt ? await loadScreenPages(app, join(webRoot, 'index.html')) : null
    fastify.setNotFoundHandler(async (request, reply) => {
      const path = request.url.split('?')[0] ?? '/'
      const isScreen = SCREENS.some((screen) => screen.test(path))
      if (isBuilt && isReading(request) && (isScreen || wantsPage(request))) {
        if (pages === null) return sendPlainPage(request, reply, isScreen ? 200 : 404)
        return await pages.send(path, request, reply)
      }
      return sendFailure(new NotFoundError('There is nothing at this address.'), request, reply)
    })
  },
  { name: 'web-assets', dependencies: ['security'] },
)

/** Null for a page without a place for its head: it is sent as it was built. */
async function loadScreenPages(app: App, file: string): Promise<ScreenPages | null> {
  const shell = pageShell(await readFile(file, 'utf8'))
  return shell === null ? null : new ScreenPages(app, shell)
}

function chooseCacheControl(file: string): string {
  if (file.includes('/assets/')) return HASHED_CACHE
  return ASKED_EACH_TIME.test(file) ? PAGE_CACHE : PLAIN_CACHE
}

function isReading(request: FastifyRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD'
}

function wantsPage(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') === true
}

function sendPlainPage(request: FastifyRequest, reply: FastifyReply, status: 200 | 404): FastifyReply {
  if (status === 200) return reply.sendFile('index.html')
  // A 404 must not turn into a 304.
  request.raw.headers['if-none-match'] = undefined
  request.raw.headers['if-modified-since'] = undefined
  return reply.code(404).sendFile('index.html')
}
