import { readFile } from 'node:fs/promises'
import { minify, type Plugin } from 'vite'
import { type Bundle, inlineSheet } from './bundle-files.ts'
import { loadModule } from './load-module.ts'

const LOADER = new URL('start.js', import.meta.url)
const SHEET = /<link rel="stylesheet"[^>]*href="\/([^"]+)">/
const SCRIPT = /<script type="module"[^>]*src="[^"]+"><\/script>/
const PRELOAD = /<link rel="modulepreload"[^>]*>\s*/g
const BEFORE_PAINT = /<script src="(\/[^"]+)"><\/script>/
const ROOT = '<div id="root"></div>'

/**
 * Puts the static first view, its styles and its inline scripts into index.html, so the page paints before the app's
 * scripts are fetched. The server chooses the view for the requested screen from the comment in `#root`.
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
        checkClasses(Object.values(views), bundle)
        const loader = await shortened(LOADER)
        const [, beforePaint = ''] = BEFORE_PAINT.exec(html) ?? []
        const scheme = await shortened(`${publicDir}${beforePaint}`)
        const painted = replaced(html, BEFORE_PAINT, () => `<script>${scheme}</script>`)
        const inlined = replaced(painted, SHEET, (link, name = '') => inlineSheet(bundle, name, link))
        const files = [...inlined.matchAll(PRELOAD), SCRIPT.exec(inlined)].map(
          (tag) => /(?:href|src)="([^"]+)"/.exec(tag?.[0] ?? '')?.[1],
        )
        // The scripts follow everything that is painted first, in evaluation order.
        const start = `  <script data-app="${files.join(' ')}">${loader}</script>\n  </body>`
        const started = replaced(inlined.replaceAll(PRELOAD, '').replace(SCRIPT, ''), '</body>', () => start)
        // Escape `>`, which could end the comment.
        const list = JSON.stringify(views).replaceAll('>', '\\u003e')
        return replaced(started, ROOT, () => `<div id="root"><!-- first-view ${list} --></div>`)
      },
    },
  }
}

async function shortened(file: URL | string): Promise<string> {
  const { code } = await minify(String(file), await readFile(file, 'utf8'))
  return code.trim()
}

async function drawViews(): Promise<Record<string, string>> {
  return await loadModule('/src/first-view.tsx', (module: typeof import('../src/first-view.tsx')) =>
    module.firstViews(),
  )
}

/** Throws if a view has a class that no style sheet in the app defines. */
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
