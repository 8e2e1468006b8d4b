import sharp from 'sharp'
import { FileTooLargeError } from '../../../storage/object-store.ts'
import { NotAPictureError } from '../errors.ts'

/**
 * Max number of megapixels for each format. Phones take pictures of 50 megapixels, and decoding one took up to 330 MB
 * of memory. AVIF takes about 20 bytes per pixel, three times as much as other formats. No camera makes large AVIF
 * files.
 */
const MEGAPIXELS_MAX: Readonly<Record<PictureFormat, number>> = { png: 51, jpeg: 51, webp: 51, gif: 51, avif: 16 }
const SIDE_PX = 256
const QUALITY = 82
const WORK_MAX_S = 20

// Allow libvips to load only these formats, even if the bytes are SVG, PDF or TIFF.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadPng',
    'VipsForeignLoadJpeg',
    'VipsForeignLoadWebp',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadHeif',
  ],
})
// Use no cache and only one thread. Pictures are processed rarely, and the market needs the memory and the cores.
sharp.cache(false)
sharp.concurrency(1)

/**
 * Encodes a picture as a 256 px square WebP: only the first frame, upright, center-cropped, in sRGB, without metadata.
 * Throws `NotAPictureError`. Throws `FileTooLargeError` for too many pixels, before decoding any.
 */
export async function encodePicture(bytes: Buffer): Promise<Buffer> {
  const format = detectPictureFormat(bytes)
  if (format === null) throw new NotAPictureError()
  // Read only the header first, because in that case our own error can state the limit.
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => null)
  if (header === null) throw new NotAPictureError()
  const megapixelsMax = MEGAPIXELS_MAX[format]
  const pixelsMax = megapixelsMax * 1_000_000
  if (header.width * header.height > pixelsMax) {
    throw new FileTooLargeError(
      `The picture has too many pixels. Please choose one of at most ${megapixelsMax} megapixels.`,
    )
  }
  return await sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error', autoOrient: true })
    .timeout({ seconds: WORK_MAX_S })
    .resize(SIDE_PX, SIDE_PX, { fit: 'cover' })
    .webp({ quality: QUALITY })
    .toBuffer()
    .catch(() => {
      throw new NotAPictureError()
    })
}

/** Converts a stored picture to a square PNG. The promise rejects if the bytes cannot be read. */
export async function toPng(bytes: Buffer, sidePx: number): Promise<Buffer> {
  return await sharp(bytes).resize(sidePx, sidePx).png().toBuffer()
}

type PictureFormat = 'png' | 'jpeg' | 'webp' | 'gif' | 'avif'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const JPEG = Buffer.from([0xff, 0xd8, 0xff])
const AVIF_BRANDS = new Set(['avif', 'avis'])
const BRANDS_MAX = 32

/** Detects the format of a picture by its first bytes. Returns null for all other formats, including SVG. */
function detectPictureFormat(bytes: Buffer): PictureFormat | null {
  if (bytes.subarray(0, 8).equals(PNG)) return 'png'
  if (bytes.subarray(0, 3).equals(JPEG)) return 'jpeg'
  if (/^GIF8[79]a$/.test(latin(bytes, 0, 6))) return 'gif'
  if (latin(bytes, 0, 4) === 'RIFF' && latin(bytes, 8, 12) === 'WEBP') return 'webp'
  if (latin(bytes, 4, 8) === 'ftyp' && readBrands(bytes).some((brand) => AVIF_BRANDS.has(brand))) return 'avif'
  return null
}

/** Reads the major and compatible brands from an ISO media file's first box. */
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
