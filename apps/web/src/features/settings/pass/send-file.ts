import { PlainError } from '../../../lib/api/failure.ts'

interface SendOptions {
  /** The upload calls this function with the uploaded part of the file, from 0 to 1. */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

/**
 * Sends a file to a signed URL with PUT. Throws a `PlainError` if the server gives a reason, or the signal's reason if
 * the upload was cancelled. Uses XMLHttpRequest, because fetch reports no upload progress.
 */
export function sendFile(url: string, file: Blob, { onProgress, signal }: SendOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const request = new XMLHttpRequest()
  const abort = () => request.abort()
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total))
  request.addEventListener('load', () => {
    if (request.status >= 200 && request.status < 300) resolve()
    else reject(readRefusal(request))
  })
  request.addEventListener('error', () => reject(new Error('the upload got no answer')))
  request.addEventListener('abort', () => reject(signal.reason))
  request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
  signal.addEventListener('abort', abort)
  request.open('PUT', url)
  if (signal.aborted) reject(signal.reason)
  else request.send(file)
  return promise
}

/** Our server gives the reason in a plain sentence, but an object store responds with XML. */
function readRefusal(request: XMLHttpRequest): Error {
  const isText = request.getResponseHeader('content-type')?.startsWith('text/plain') === true
  const isPlain = isText && request.responseText !== ''
  return isPlain ? new PlainError(request.responseText) : new Error(`the upload was refused: ${request.status}`)
}

/** Max size of a picture, in bytes. */
export const PICTURE_BYTES_MAX = 5_242_880
/** Image types that the server can decode. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'] as const

const TYPES: ReadonlySet<string> = new Set(PICTURE_TYPES)
const BYTES_PER_MB = 1_048_576

/**
 * Returns a sentence that says why the chosen files cannot become the profile picture. Returns null if a picture can be
 * uploaded.
 */
export function pictureProblem(files: readonly Pick<File, 'name' | 'type' | 'size'>[]): string | null {
  const [file] = files
  if (file === undefined) return 'No file was chosen. Please choose a picture.'
  if (files.length > 1) return `You chose ${files.length} files. Please choose one picture.`
  if (!file.type.startsWith('image/')) return `${file.name} is not an image. Please choose a picture.`
  if (!TYPES.has(file.type)) {
    return `${file.name} has an image format that we cannot show. Please choose a PNG, JPEG, WebP, GIF or AVIF.`
  }
  if (file.size === 0) return `${file.name} is empty. Please choose another picture.`
  if (file.size > PICTURE_BYTES_MAX) {
    return `${file.name} is ${megabytes(file.size)} MB. Please choose a picture of at most 5 MB.`
  }
  return null
}

/** Formats a number of bytes in megabytes, rounded up, because a file just over the limit must not appear as 5 MB. */
function megabytes(bytes: number): string {
  return (Math.ceil((bytes / BYTES_PER_MB) * 10) / 10).toFixed(1)
}
