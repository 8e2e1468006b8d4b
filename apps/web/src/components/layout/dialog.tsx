import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/Paper.css'
import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Modal.css'
import { Modal } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { dismissToast } from '../../lib/ui/toasts.ts'
import classes from './dialog.module.css'
import { Themed } from './themed.tsx'

interface DialogProps {
  readonly title: string
  /** It stays open while what it asked for is under way. */
  readonly isBusy?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/**
 * A question over the page, open as long as it is rendered: it holds the focus, Escape closes it, and the focus goes
 * back to where it was. Load it late: no screen begins with one.
 */
export function Dialog(props: DialogProps) {
  return (
    <Themed>
      <OpenDialog {...props} />
    </Themed>
  )
}

function OpenDialog({ title, isBusy = false, onClose, children }: DialogProps) {
  useFocusReturn()
  useEffect(dismissToast, [])
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      centered
      closeOnEscape={!isBusy}
      closeOnClickOutside={!isBusy}
      closeButtonProps={{ 'aria-label': 'Close', disabled: isBusy }}
      classNames={{ content: classes.dialog, header: classes.header, title: classes.title, close: classes.close }}
    >
      {children}
    </Modal>
  )
}

/** Mantine's own does not know where the focus was before a dialog whose code came late. */
function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    },
    [before],
  )
}
