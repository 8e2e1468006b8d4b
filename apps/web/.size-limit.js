import { readFileSync } from 'node:fs'

const page = readFileSync(new URL('dist/index.html', import.meta.url), 'utf8')
const scripts = page.matchAll(/<script\b[^>]*\bsrc="([^"]+)"|<link\b[^>]*\brel="modulepreload"[^>]*\bhref="([^"]+)"/g)

/** What a browser needs before it can draw the home page; everything else is loaded when it is needed or idle. */
export default [
  {
    name: 'JavaScript of the home page’s first load, in brotli',
    path: [...scripts].map(([, script, preloaded]) => `dist${script ?? preloaded}`),
    limit: '120 kB',
    brotli: true,
  },
]
