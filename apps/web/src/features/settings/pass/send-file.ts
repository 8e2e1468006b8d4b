/** The store refused the file, or did not answer (`sentence` is null then). */
export class UploadFailedError extends Error {
  override readonly name = 'UploadFailedError'
  readonly sentence: string | null
  constructor(sentence: string | null) {
    super(sentence ?? 'the upload got no answer')
    this.sentence = sentence
  }
}

interface SendOptions {
  /** Told how much has left, from 0 to 1. */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

/**
 * PUTs a file to the address that was signed for it. Throws `UploadFailedError`, and the signal's reason when it is
 * called off. XMLHttpRequest, since fetch does not tell how much of a body has been sent.
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

/** Our server refuses with a plain sentence, an object store with XML that is none. */
function sentenceIn(request: XMLHttpRequest): string | null {
  const isText = request.getResponseHeader('content-type')?.startsWith('text/plain') === true
  return isText && request.responseText !== '' ? request.responseText : null
}
