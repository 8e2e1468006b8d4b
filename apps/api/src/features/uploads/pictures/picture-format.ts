export type PictureFormat = 'png' | 'jpeg' | 'webp' | 'gif' | 'avif'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const JPEG = Buffer.from([0xff, 0xd8, 0xff])
const AVIF_BRANDS = new Set(['avif', 'avis'])
const BRANDS_MAX = 32

/** The format of a picture by its first bytes; null for everything else, including SVG. */
export function detectPictureFormat(bytes: Buffer): PictureFormat | null {
  if (bytes.subarray(0, 8).equals(PNG)) return 'png'
  if (bytes.subarray(0, 3).equals(JPEG)) return 'jpeg'
  if (/^GIF8[79]a$/.test(latin(bytes, 0, 6))) return 'gif'
  if (latin(bytes, 0, 4) === 'RIFF' && latin(bytes, 8, 12) === 'WEBP') return 'webp'
  if (latin(bytes, 4, 8) === 'ftyp' && readBrands(bytes).some((brand) => AVIF_BRANDS.has(brand))) return 'avif'
  return null
}

/** The major and compatible brands of an ISO media file's first box. */
function readBrands(bytes: Buffer): string[] {
  if (bytes.length < 16) return []
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 16 + 4 * BRANDS_MAX)
  const brands = [latin(bytes, 8, 12)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(latin(bytes, at, at + 4))
  return brands
}

function latin(bytes: Buffer, from: number, to: number): string {
  return bytes.subarray(from, to).toString('latin1')
}
