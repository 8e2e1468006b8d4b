/** The upload was refused with `sentence`, or got no answer (`sentence` is null). */
export class UploadFailedError extends Error {
  override readonly name = 'UploadFailedError'
  readonly sentence: string | null
  constructor(sentence: string | null) {
    super(sentence ?? 'the upload got no answer')
    this.sentence = sentence
  }
}

interface SendOptions {
  /** Called with the fraction uploaded, from 0 to 1. */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

/**
 * PUTs a file to a signed URL. Throws `UploadFailedError`, or the signal's reason when aborted. Uses XMLHttpRequest,
 * since fetch reports no upload progress.
 */
export function sendFile(url: string, file: Blob, { onProgress, signal }: SendOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const request = new XMLHttpRequest()
  const abort = () => request.abort()
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total))
  request.addEventListener('load', () => {
    if (request.status >= 200 && request.status < 300) resolve()
    else reject(new UploadFailedError(sentenceIn(request)))
  })
  request.addEventListener('error', () => reject(new UploadFailedError(null)))
  request.addEventListener('abort', () => reject(signal.reason))
  request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
  signal.addEventListener('abort', abort)
  request.open('PUT', url)
  if (signal.aborted) reject(signal.reason)
  else request.send(file)
  return promise
}

/** Our server refuses with a plain sentence, an object store with XML. */
function sentenceIn(request: XMLHttpRequest): string | null {
  const isText = request.getResponseHeader('content-type')?.startsWith('text/plain') === true
  return isText && request.responseText !== '' ? request.responseText : null
}
