import { readFileSync } from 'node:fs'

const page = readFileSync(new URL('dist/index.html', import.meta.url), 'utf8')
const app = /\bdata-app="([^"]+)"/.exec(page)[1].split(' ')

/** What a browser needs before it can draw the home page; everything else is loaded when it is needed or idle. */
export default [
  {
    name: 'JavaScript of the home page’s first load, in brotli',
    path: app.map((file) => `dist${file}`),
    limit: '123 kB',
    brotli: true,
  },
]
