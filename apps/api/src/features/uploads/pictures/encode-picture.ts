import sharp from 'sharp'
import { FileTooLargeError } from '../../../storage/errors.ts'
import { NotAPictureError } from '../errors.ts'
import { detectPictureFormat, type PictureFormat } from './picture-format.ts'

/**
 * Phones take pictures of 50 megapixels; decoding one took up to 330 MB. AVIF takes about 20 bytes a pixel, three times
 * as much, and no camera makes large ones.
 */
const MEGAPIXELS_MAX: Readonly<Record<PictureFormat, number>> = { png: 51, jpeg: 51, webp: 51, gif: 51, avif: 16 }
const SIDE_PX = 256
const QUALITY = 82
const WORK_MAX_S = 20

// libvips loads only these formats: no SVG, PDF or TIFF, whatever the bytes say.
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
// Pictures are rare; memory and cores belong to the market.
sharp.cache(false)
sharp.concurrency(1)

/**
 * Encodes a picture as a 256 px square WebP: first frame, upright, center-cropped, sRGB, no metadata. Throws
 * `NotAPictureError`, and `FileTooLargeError` for too many pixels before any is decoded.
 */
export async function encodePicture(bytes: Buffer): Promise<Buffer> {
  const format = detectPictureFormat(bytes)
  if (format === null) throw new NotAPictureError()
  // Reads the header only, to give the limit in our own words.
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

/** Converts one of our own pictures to a square PNG. Rejects when the bytes cannot be read. */
export async function toPng(bytes: Buffer, sidePx: number): Promise<Buffer> {
  return await sharp(bytes).resize(sidePx, sidePx).png().toBuffer()
}
