import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer, minify, type Plugin, type Rolldown } from 'vite'
import type { FirstCalls } from '../src/first-calls.ts'

type Bundle = Rolldown.OutputBundle

const WEB = new URL('..', import.meta.url).pathname
const LOADER = new URL('start.js', import.meta.url)
const SHEET = /<link rel="stylesheet"[^>]*href="\/([^"]+)">/
const SCRIPT = /<script type="module"[^>]*src="[^"]+"><\/script>/
const PRELOAD = /<link rel="modulepreload"[^>]*>\s*/g
const BEFORE_PAINT = /<script src="(\/[^"]+)"><\/script>/
const ROOT = '<div id="root"></div>'
/** The home screen, which is not in `MODULES` because its code is in the first chunk. */
const HOME = '/'
/** The modules of the other screens that make early requests. */
const MODULES: Readonly<Record<string, string>> = {
  '/leaderboard': '/src/features/leaderboard/leaderboard-screen.tsx',
  '/token/$id': '/src/features/tokens/token-screen.tsx',
}

/**
 * Completes index.html, so the page paints before the app's scripts are fetched: preloads the fonts and the first
 * requests, and adds the static first view, its styles and its inline scripts.
 */
export function firstPage(): Plugin {
  let publicDir = ''
  return {
    name: 'first-page',
    apply: 'build',
    configResolved(config) {
      publicDir = config.publicDir
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle = {}, chunk }) {
        const withCalls = await preloadCalls(html, bundle, chunk?.fileName)
        return { html: await addFirstView(withCalls, bundle, publicDir), tags: preloadFonts(bundle) }
      },
    },
  }
}

/** Chooses the name of a CSS class. The bundler's default names would add 300 bytes to the first load. */
export function nameClass(name: string, file: string): string {
  const hash = createHash('sha256').update(relative(WEB, file)).digest('base64url').slice(0, 5)
  return `${name}_${hash}`
}

/**
 * Preloads the text fonts, so that texts appear only once, in their final font. The emoji font is not preloaded,
 * because few browsers need it.
 */
function preloadFonts(bundle: Bundle) {
  const fonts = Object.values(bundle).filter((it) => it.type === 'asset' && /-latin-.*woff2$/.test(it.names[0] ?? ''))
  return fonts.map(({ fileName }) => ({
    tag: 'link',
    attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${fileName}`, crossorigin: true },
    injectTo: 'head-prepend' as const,
  }))
}

/**
 * Starts a page's first requests while its scripts are still loading. Every page has a preload link for the call
 * `auth.me`. A comment in the page contains what differs by screen: the link for the other requests, the styles, and
 * the names of the scripts that `start.js` fetches. The server uses that comment to fill the page's head. The page
 * misses no event, because a token's live feed begins where its data ends.
 */
async function preloadCalls(html: string, bundle: Bundle, entry: string | undefined): Promise<string> {
  const first = new Set(entry === undefined ? [] : collectFiles(bundle, entry))
  const calls: Record<string, FirstCalls> = await loadModule(
    '/src/first-calls.ts',
    (module: typeof import('../src/first-calls.ts')) => module.recordFirstCalls(),
  )
  const screens = Object.entries(calls).map(([screen, { batch }]) => {
    const all = screen === HOME ? [] : [...collectFiles(bundle, findChunk(bundle, MODULES[screen] ?? screen))]
    const files = all.filter((name) => !first.has(name))
    return [screen, [...toHead(bundle, files), linkTo(batch)]] as const
  })
  const head = `  ${linkTo(calls[HOME]?.user ?? '')}\n  <!-- screen-links ${JSON.stringify(screens)} -->\n  </head>`
  return replaced(html, '</head>', () => head)
}

/**
 * Adds the static first view, its styles and its inline scripts. The server chooses the view for the requested screen
 * from the comment in `#root`.
 */
async function addFirstView(html: string, bundle: Bundle, publicDir: string): Promise<string> {
  const views = await loadModule('/src/first-view.tsx', (module: typeof import('../src/first-view.tsx')) =>
    module.firstViews(),
  )
  checkClasses(Object.values(views), bundle)
  const loader = await shortened(LOADER)
  const [, beforePaint = ''] = BEFORE_PAINT.exec(html) ?? []
  const scheme = await shortened(`${publicDir}${beforePaint}`)
  const painted = replaced(html, BEFORE_PAINT, () => `<script>${scheme}</script>`)
  const inlined = replaced(painted, SHEET, (link, name = '') => inlineSheet(bundle, name, link))
  const files = [...inlined.matchAll(PRELOAD), SCRIPT.exec(inlined)].map(
    (tag) => /(?:href|src)="([^"]+)"/.exec(tag?.[0] ?? '')?.[1],
  )
  // The scripts come after everything that appears first, in the order in which they run.
  const start = `  <script data-app="${files.join(' ')}">${loader}</script>\n  </body>`
  const started = replaced(inlined.replaceAll(PRELOAD, '').replace(SCRIPT, ''), '</body>', () => start)
  // Escape `>`, because it could end the comment.
  const list = JSON.stringify(views).replaceAll('>', '\\u003e')
  return replaced(started, ROOT, () => `<div id="root"><!-- first-view ${list} --></div>`)
}

async function shortened(file: URL | string): Promise<string> {
  const { code } = await minify(String(file), await readFile(file, 'utf8'))
  return code.trim()
}

/** Throws if a view has a class that is not in any of the app's style sheets. */
function checkClasses(views: readonly string[], bundle: Bundle): void {
  const sheets = Object.values(bundle).flatMap((it) =>
    it.type === 'asset' && it.fileName.endsWith('.css') ? String(it.source) : [],
  )
  const named = new Set(sheets.flatMap((sheet) => sheet.match(/(?<=\.)[a-zA-Z_][\w-]*/g) ?? []))
  const classes = views.flatMap((view) =>
    [...view.matchAll(/class="([^"]+)"/g)].flatMap(([, it = '']) => it.split(' ')),
  )
  const unknown = classes.find((it) => !named.has(it))
  if (unknown !== undefined) throw new Error(`the first view's class ${unknown} is in no style sheet`)
}

function replaced(html: string, part: RegExp | string, by: (part: string, ...groups: string[]) => string): string {
  const after = html.replace(part, by)
  if (after === html) throw new Error(`the page has no ${part}`)
  return after
}

/**
 * Returns the name of the chunk file that begins with a module, such as `/src/main.tsx`. Throws if the build
 * has no such file.
 */
function findChunk(bundle: Bundle, module: string): string {
  const chunk = Object.values(bundle).find((it) => it.type === 'chunk' && it.facadeModuleId?.endsWith(module))
  if (chunk === undefined) throw new Error(`the build has no chunk of its own for ${module}`)
  return chunk.fileName
}

/** Collects a chunk, its imports and their style sheets in the order in which Vite would load them. */
function collectFiles(bundle: Bundle, name: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[name]
  if (found.has(name) || chunk?.type !== 'chunk') return found
  found.add(name)
  for (const imported of chunk.imports) collectFiles(bundle, imported, found)
  for (const sheet of chunk.viteMetadata?.importedCss ?? []) found.add(sheet)
  return found
}

function toHead(bundle: Bundle, files: readonly string[]): string[] {
  const sheets = files.filter((name) => name.endsWith('.css'))
  const scripts = files.filter((name) => !name.endsWith('.css')).map((name) => `/${name}`)
  return [
    ...sheets.map((name) => inlineSheet(bundle, name, `<link rel="stylesheet" crossorigin href="/${name}">`)),
    ...(scripts.length === 0 ? [] : [`<meta name="screen-scripts" content="${scripts.join(' ')}">`]),
  ]
}

function inlineSheet(bundle: Bundle, name: string, link: string): string {
  const sheet = bundle[name]
  if (sheet?.type !== 'asset') throw new Error(`the build has no style sheet ${name}`)
  return `<style>${String(sheet.source).trim()}</style>\n    ${link.replace('<link', '<link disabled')}`
}

function linkTo(call: string): string {
  return `<link rel="preload" as="fetch" crossorigin href="${call.replaceAll('&', '&amp;')}">`
}

/** Evaluates an app module in Node and returns the result of `use`. `path` begins with `/src/`. */
async function loadModule<Module, Result>(path: string, use: (module: Module) => Result): Promise<Awaited<Result>> {
  const server = await createServer({
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    plugins: [react()],
    css: { modules: { generateScopedName: nameClass } },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    return await use((await server.ssrLoadModule(path)) as Module)
  } finally {
    await server.close()
  }
}
