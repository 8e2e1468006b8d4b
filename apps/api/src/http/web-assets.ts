import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { App } from '../context.ts'
import { NotFoundError } from '../errors.ts'
import { isReading } from './calls/response-cache.ts'
import { sendFailure } from './error-response.ts'
import { pageShell } from './pages/page-shell.ts'
import { ScreenPages } from './pages/screen-pages.ts'

/**
 * Paths of the web app's screens. At any other path, the server responds with the app's page for unknown paths and
 * status 404.
 */
const SCREENS = [
  /^\/$/,
  /^\/(auth|forgot-password|reset-password|verify-email|settings|launch|dashboard|portfolio|leaderboard|tape|fairs|docs|developers|proof)\/?$/,
  /^\/(token|user|fairs)\/[^/]+\/?$/,
]

const HASHED_CACHE = 'public, max-age=31536000, immutable'
const PLAIN_CACHE = 'public, max-age=3600'
/** Browsers revalidate pages each time. Browsers get status 304 while the page has not changed. */
const PAGE_CACHE = 'no-cache'
/**
 * Matches files that browsers must revalidate, because they change with each build: pages, the service worker and its
 * files.
 */
const REVALIDATED = /(\.html|\/sw\.js|\/offline\.js|\.webmanifest)(\.br|\.gz)?$/

export interface WebAssetsOptions {
  readonly app: App
  /** Folder of the built web app. If the folder is null or has no index.html, the server serves only the API. */
  readonly webRoot: string | null
}

/** Serves the files of the web app, which were compressed at build time, and the app's page for every screen. */
export const webAssets = fp<WebAssetsOptions>(
  async (fastify, { app, webRoot }) => {
    const isBuilt = webRoot !== null && hasPage(webRoot)
    if (isBuilt) {
      await fastify.register(fastifyStatic, {
        root: webRoot,
        // Register one route per file, because a wildcard would also match unknown paths under /api.
        wildcard: false,
        index: false,
        preCompressed: true,
        cacheControl: false,
        setHeaders: (reply, path) => {
          reply.header('cache-control', chooseCacheControl(path.replaceAll('\\', '/')))
          if (path.endsWith('.svg')) reply.header('content-type', 'image/svg+xml; charset=utf-8')
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

/** Returns whether the folder contains a built web app. */
export function hasPage(webRoot: string | null): boolean {
  return webRoot !== null && existsSync(join(webRoot, 'index.html'))
}

/** Loads the pages of the screens. Returns null if the built page lacks the comments that mark the head. */
async function loadScreenPages(app: App, file: string): Promise<ScreenPages | null> {
  const shell = pageShell(await readFile(file, 'utf8'))
  return shell === null ? null : new ScreenPages(app, shell)
}

function chooseCacheControl(file: string): string {
  if (file.includes('/assets/')) return HASHED_CACHE
  return REVALIDATED.test(file) ? PAGE_CACHE : PLAIN_CACHE
}

function wantsPage(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') === true
}

function sendPlainPage(request: FastifyRequest, reply: FastifyReply, status: 200 | 404): FastifyReply {
  if (status === 200) return reply.sendFile('index.html')
  // Remove these headers, because a 404 could otherwise become a 304.
  request.raw.headers['if-none-match'] = undefined
  request.raw.headers['if-modified-since'] = undefined
  return reply.code(404).sendFile('index.html')
}
