import { readFileSync } from 'node:fs'

const page = readFileSync(new URL('dist/index.html', import.meta.url), 'utf8')
const app = /\bdata-app="([^"]+)"/.exec(page)[1].split(' ')

/** What a browser must load before it can render the home page. Everything else is lazy. */
export default [
  {
    name: 'JavaScript of the home page’s first load, in brotli',
    path: app.map((file) => `dist${file}`),
    limit: '128 kB',
    brotli: true,
  },
]
