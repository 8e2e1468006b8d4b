import '@mantine/core/styles/Progress.css'
import { Progress } from '@mantine/core'
import { useFileDialog } from '@mantine/hooks'
import { type DragEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '../../../components/form/button.tsx'
import { Dialog } from '../../../components/layout/dialog.tsx'
import { client } from '../../../lib/api/api.ts'
import { getSentence } from '../../../lib/api/failure.ts'
import { PICTURE_TYPES, pictureProblem, sendFile } from './send-file.ts'

const NO_UPLOAD = 'Could not upload the picture. Check your connection and try again.'
/** Delay in ms after which the file chooser opens by itself. */
const CHOOSER_AFTER_MS = 100

interface PictureDialogProps {
  readonly onClose: () => void
  /** The dialog calls this function with the URL of the uploaded file, which then becomes the profile picture. */
  readonly onUploaded: (uploadURL: string, file: File) => void
}

/** A dialog that uploads a picture as soon as the player chooses it. The dialog is open as long as it is rendered. */
export function PictureDialog({ onClose, onUploaded }: PictureDialogProps) {
  return (
    <Dialog title="Your picture" onClose={onClose}>
      <Uploader onClose={onClose} onUploaded={onUploaded} />
    </Dialog>
  )
}

/** The upload is a part of the dialog, so closing the dialog cancels it. */
function Uploader({ onClose, onUploaded }: PictureDialogProps) {
  const { state, upload } = usePictureUpload({ onClose, onUploaded })
  const isBusy = state.step === 'uploading' || state.step === 'done'
  const chooser = useFileDialog({
    accept: PICTURE_TYPES.join(','),
    multiple: false,
    onChange: (files) => files !== null && upload([...files]),
  })
  const openChooser = useEffectEvent(chooser.open)
  useEffect(() => {
    const timer = setTimeout(() => openChooser(), CHOOSER_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  const drop = (event: DragEvent) => {
    event.preventDefault()
    if (!isBusy) upload([...event.dataTransfer.files])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is beside the button, which every key and reader reaches.
    <div
      className="stack middle gap-m centered round-m text-center p-xl-l edge-dashed"
      style={{ minHeight: 240 }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      {isBusy ? <UploadProgress state={state} /> : <Invitation state={state} />}
      <Button look={isBusy ? 'quiet' : 'moon'} onClick={isBusy ? onClose : chooser.open}>
        {state.step === 'done' ? 'Close' : isBusy ? 'Cancel' : 'Choose a picture'}
      </Button>
    </div>
  )
}

function Invitation({ state }: { state: UploadState }) {
  return (
    <>
      <p className="emoji text-3xl solid" aria-hidden="true">
        🖼️
      </p>
      {state.step === 'refused' && (
        <p className="problem" role="alert">
          {state.sentence}
        </p>
      )}
      <p className="dim balance">Choose a picture or drop it here: PNG, JPEG, WebP, GIF or AVIF, at most 5 MB.</p>
    </>
  )
}

function UploadProgress({ state }: { state: UploadState }) {
  const share = state.step === 'uploading' ? state.share : 1
  const percent = Math.round(share * 100)
  return (
    <>
      <p className="text-l bold" role="status">
        {state.step === 'done' ? 'Upload complete' : 'Uploading...'}
      </p>
      <Progress value={percent} aria-label="Upload" w="100%" maw={300} size={14} radius="xl" />
      <p className="dim balance">{percent}%</p>
    </>
  )
}

/** How long the dialog stays open after the upload, in ms. */
const CLOSE_AFTER_MS = 500

type UploadState =
  | { readonly step: 'choosing' }
  | { readonly step: 'refused'; readonly sentence: string }
  /** `share` is the uploaded part of the file, from 0 to 1. */
  | { readonly step: 'uploading'; readonly share: number }
  | { readonly step: 'done' }

interface PictureUpload {
  readonly onUploaded: (uploadURL: string, file: File) => void
  readonly onClose: () => void
}

/** Uploads a picture and reports the progress. The upload is cancelled when the component unmounts. */
function usePictureUpload({ onUploaded, onClose }: PictureUpload) {
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
      if (!signal.aborted) setState({ step: 'refused', sentence: getSentence(error) ?? NO_UPLOAD })
    }
  }
  return { state, upload: (files: readonly File[]) => void upload(files) }
}
