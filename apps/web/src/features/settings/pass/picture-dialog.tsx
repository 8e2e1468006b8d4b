import { type DragEvent, useEffect, useRef } from 'react'
import { Button } from '../../../components/form/button.tsx'
import { Dialog } from '../../../components/layout/dialog.tsx'
import classes from './picture-dialog.module.css'
import { PICTURE_TYPES } from './picture-problem.ts'
import { type UploadState, usePictureUpload } from './use-picture-upload.ts'

/** Delay before the file chooser opens by itself, ms. */
const CHOOSER_AFTER_MS = 100

interface PictureDialogProps {
  readonly onClose: () => void
  /** Called with the uploaded file's URL; the caller sets it as the picture. */
  readonly onUploaded: (uploadURL: string, file: File) => void
}

/** Uploads a picture as soon as it is chosen. Open while it is rendered. */
export function PictureDialog({ onClose, onUploaded }: PictureDialogProps) {
  return (
    <Dialog title="Your picture" onClose={onClose}>
      <Uploader onClose={onClose} onUploaded={onUploaded} />
    </Dialog>
  )
}

/** Mounted with the dialog, so that closing it cancels the upload. */
function Uploader({ onClose, onUploaded }: PictureDialogProps) {
  const chooser = useRef<HTMLInputElement>(null)
  const { state, upload } = usePictureUpload({ onClose, onUploaded })
  const isBusy = state.step === 'uploading' || state.step === 'done'
  useEffect(() => {
    const timer = setTimeout(() => chooser.current?.click(), CHOOSER_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  const drop = (event: DragEvent) => {
    event.preventDefault()
    if (!isBusy) upload([...event.dataTransfer.files])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is beside the button, which every key and reader reaches.
    <div className={classes.zone} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label="Picture"
        accept={PICTURE_TYPES.join(',')}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // Otherwise choosing the same file again would not fire `change`.
          currentTarget.value = ''
          if (files.length > 0) upload(files)
        }}
      />
      {isBusy ? <UploadProgress state={state} /> : <Invitation state={state} />}
      <Button look={isBusy ? 'quiet' : 'moon'} onClick={isBusy ? onClose : () => chooser.current?.click()}>
        {state.step === 'done' ? 'Close' : isBusy ? 'Cancel' : 'Choose a picture'}
      </Button>
    </div>
  )
}

function Invitation({ state }: { state: UploadState }) {
  return (
    <>
      <p className={classes.emoji} aria-hidden="true">
        🖼️
      </p>
      {state.step === 'refused' && (
        <p className={classes.refusal} role="alert">
          {state.sentence}
        </p>
      )}
      <p className={classes.hint}>
        One picture of at most 5 MB: PNG, JPEG, WebP, GIF or AVIF. Choose it, or drop it here.
      </p>
    </>
  )
}

function UploadProgress({ state }: { state: UploadState }) {
  const share = state.step === 'uploading' ? state.share : 1
  const percent = Math.round(share * 100)
  return (
    <>
      <p className={classes.status} role="status">
        {state.step === 'done' ? 'Upload complete' : 'Uploading...'}
      </p>
      <div
        className={classes.track}
        role="progressbar"
        aria-label="Upload"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div className={classes.bar} style={{ width: `${percent}%` }} />
      </div>
      <p className={classes.hint}>{percent}%</p>
    </>
  )
}
