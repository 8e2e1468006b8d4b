import { readFile } from 'node:fs/promises'
import react from '@vitejs/plugin-react'
import { createServer, minify, type Plugin } from 'vite'
import { inlineSheet } from './bundle-files.ts'

const LOADER = new URL('start.js', import.meta.url)
const SHEET = /<link rel="stylesheet"[^>]*href="\/([^"]+)">/
const SCRIPT = /<script type="module"[^>]*src="[^"]+"><\/script>/
const PRELOAD = /<link rel="modulepreload"[^>]*>\s*/g
const BEFORE_PAINT = /<script src="(\/[^"]+)"><\/script>/
const ROOT = '<div id="root"></div>'

/**
 * Puts what is seen first into the page itself, with the styles and the few lines of script that it needs: it is painted
 * when the page is there, and only then are the app's scripts fetched. The server picks the view of the screen that is
 * asked for, from the comment in the root.
 */
export function firstView(): Plugin {
  let publicDir = ''
  return {
    name: 'first-view',
    apply: 'build',
    configResolved(config) {
      publicDir = config.publicDir
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle = {} }) {
        const views = await drawViews()
        const loader = await shortened(LOADER)
        const [, beforePaint = ''] = BEFORE_PAINT.exec(html) ?? []
        const scheme = await shortened(`${publicDir}${beforePaint}`)
        const painted = replaced(html, BEFORE_PAINT, () => `<script>${scheme}</script>`)
        const inlined = replaced(painted, SHEET, (link, name = '') => inlineSheet(bundle, name, link))
        const files = [...inlined.matchAll(PRELOAD), SCRIPT.exec(inlined)].map(
          (tag) => /(?:href|src)="([^"]+)"/.exec(tag?.[0] ?? '')?.[1],
        )
        // In the order in which they are evaluated, below all that is painted before.
        const start = `  <script data-app="${files.join(' ')}">${loader}</script>\n  </body>`
        const started = replaced(inlined.replaceAll(PRELOAD, '').replace(SCRIPT, ''), '</body>', () => start)
        // No character of it may end the comment.
        const list = JSON.stringify(views).replaceAll('>', '\\u003e')
        return replaced(started, ROOT, () => `<div id="root"><!-- first-view ${list} --></div>`)
      },
    },
  }
}

/** A script without what only its readers need. */
async function shortened(file: URL | string): Promise<string> {
  const { code } = await minify(String(file), await readFile(file, 'utf8'))
  return code.trim()
}

async function drawViews(): Promise<Record<string, string>> {
  const server = await createServer({
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    plugins: [react()],
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    const { firstViews } = await server.ssrLoadModule('/src/first-view.tsx')
    return firstViews()
  } finally {
    await server.close()
  }
}

function replaced(html: string, part: RegExp | string, by: (part: string, ...groups: string[]) => string): string {
  const after = html.replace(part, by)
  if (after === html) throw new Error(`the page has no ${part}`)
  return after
}
