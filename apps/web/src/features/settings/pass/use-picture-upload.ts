import { useEffect, useRef, useState } from 'react'
import { client } from '../../../lib/api/api.ts'
import { getSentence } from '../../../lib/api/failure.ts'
import { pictureProblem } from './picture-problem.ts'
import { sendFile, UploadFailedError } from './send-file.ts'

/** Delay before the dialog closes after the upload, ms. */
const CLOSE_AFTER_MS = 500

export type UploadState =
  | { readonly step: 'choosing' }
  | { readonly step: 'refused'; readonly sentence: string }
  /** `share` is the fraction uploaded, from 0 to 1. */
  | { readonly step: 'uploading'; readonly share: number }
  | { readonly step: 'done' }

interface PictureUpload {
  readonly onUploaded: (uploadURL: string, file: File) => void
  readonly onClose: () => void
}

/** Uploads a picture and reports the progress. Unmounting aborts it. */
export function usePictureUpload({ onUploaded, onClose }: PictureUpload) {
  const [state, setState] = useState<UploadState>({ step: 'choosing' })
  const leaving = useRef<AbortController>(null)
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])

  const upload = async (files: readonly File[]) => {
    const problem = pictureProblem(files)
    const [file] = files
    const signal = leaving.current?.signal
    if (problem !== null || file === undefined || signal === undefined) {
      setState({ step: 'refused', sentence: problem ?? 'Please choose a picture.' })
      return
    }
    setState({ step: 'uploading', share: 0 })
    try {
      const { uploadURL } = await client.uploads.create.mutate(undefined, { signal })
      await sendFile(uploadURL, file, { signal, onProgress: (share) => setState({ step: 'uploading', share }) })
      setState({ step: 'done' })
      onUploaded(uploadURL, file)
      const timer = setTimeout(onClose, CLOSE_AFTER_MS)
      signal.addEventListener('abort', () => clearTimeout(timer))
    } catch (error) {
      if (!signal.aborted) setState({ step: 'refused', sentence: toSentence(error) })
    }
  }
  return { state, upload: (files: readonly File[]) => void upload(files) }
}

function toSentence(error: unknown): string {
  const sentence = error instanceof UploadFailedError ? error.sentence : getSentence(error)
  return sentence ?? 'The picture could not be uploaded. Check your connection and try again.'
}
