import { mkdir, readFile } from 'node:fs/promises'
import sharp from 'sharp'

/**
 * Draws the app icons from the favicon: `node apps/web/build/make-icons.ts`. The icons are in the repository, so builds
 * do not draw them.
 */
const PUBLIC = new URL('../public/', import.meta.url)

const rounded = await readFile(new URL('favicon.svg', PUBLIC), 'utf8')
/** The icon is square, because the operating system rounds its corners. */
const square = rounded.replace(' rx="15"', '')
/** The operating system may cut a maskable icon down to a central circle with 80 % of its width. */
const maskable = square
  .replace(/(<path)/, '<g transform="translate(32 32) scale(0.82) translate(-32 -33)">$1')
  .replace('</svg>', '</g></svg>')

const icons = [
  { name: 'moon-192.png', svg: rounded, px: 192 },
  { name: 'moon-512.png', svg: rounded, px: 512 },
  { name: 'moon-maskable-512.png', svg: maskable, px: 512 },
  { name: 'apple-touch-icon.png', svg: square, px: 180 },
]

const folder = new URL('icons/', PUBLIC)
await mkdir(folder, { recursive: true })
for (const { name, svg, px } of icons) {
  const drawn = sharp(Buffer.from(svg), { density: (72 * px) / 64 }).resize(px, px)
  await drawn.png({ palette: true, compressionLevel: 9 }).toFile(new URL(name, folder).pathname)
}
