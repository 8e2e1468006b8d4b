import { readFile } from 'node:fs/promises'
import react from '@vitejs/plugin-react'
import { createServer, type Plugin, type Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle

const LOADER = 'start.js'
const SHEET = /<link rel="stylesheet"[^>]*href="\/([^"]+)">/
const SCRIPT = /<script type="module"[^>]*src="[^"]+"><\/script>/
const PRELOAD = /<link rel="modulepreload"[^>]*>\s*/g
const ROOT = '<div id="root"></div>'

/**
 * Puts what is seen first into the page itself, with the styles that it needs, and starts the scripts after its first
 * paint. Where the first view is little more than a frame, they are fetched beside it. The server picks the view of the
 * screen that is asked for, from the comment in the root.
 */
export function firstView(): Plugin {
  return {
    name: 'first-view',
    apply: 'build',
    async buildStart() {
      // Named by what it holds: it reads what the page of its own build says.
      const source = await readFile(new URL(LOADER, import.meta.url), 'utf8')
      this.emitFile({ type: 'asset', name: LOADER, source })
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle = {} }) {
        const { '*': frame, ...views } = await drawViews()
        const inlined = withStyles(html, bundle)
        const preloads = [...inlined.matchAll(PRELOAD)].map(([link]) => link)
        const files = [...preloads, SCRIPT.exec(inlined)?.[0] ?? ''].map(
          (tag) => /(?:href|src)="([^"]+)"/.exec(tag)?.[1],
        )
        const late = replaced(inlined.replaceAll(PRELOAD, ''), SCRIPT, () => start(bundle, files.join(' ')))
        const links = files.map((file) => `<link rel="modulepreload" crossorigin href="${file}">`)
        // No character of it may end the comment.
        const list = JSON.stringify({ ...views, '*': links.join('') + frame }).replaceAll('>', '\\u003e')
        return replaced(late, ROOT, () => `<div id="root"><!-- first-view ${list} --></div>`)
      },
    },
  }
}

/** Files in the order in which they are evaluated. */
function start(bundle: Bundle, files: string): string {
  const loader = Object.values(bundle).find((file) => file.type === 'asset' && file.names.includes(LOADER))
  if (loader === undefined) throw new Error(`the build has no ${LOADER}`)
  return `<script src="/${loader.fileName}" data-app="${files}"></script>`
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

/** The link to the style sheet stays, switched off: code that comes later finds there that it has been loaded. */
function withStyles(html: string, bundle: Bundle): string {
  return replaced(html, SHEET, (link, name = '') => {
    const sheet = bundle[name]
    if (sheet?.type !== 'asset') throw new Error(`the build has no style sheet ${name}`)
    return `<style>${String(sheet.source).trim()}</style>\n    ${link.replace('<link', '<link disabled')}`
  })
}

function replaced(html: string, part: RegExp | string, by: (part: string, ...groups: string[]) => string): string {
  const after = html.replace(part, by)
  if (after === html) throw new Error(`the page has no ${part}`)
  return after
}
