import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/Paper.css'
import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Modal.css'
import { Modal } from '@mantine/core'
import { type FocusEvent, type ReactNode, useEffect, useState } from 'react'
import { dismissToast } from '../../lib/ui/toasts.ts'
import classes from './dialog.module.css'
import { Themed } from './themed.tsx'

interface DialogProps {
  readonly title: string
  /** Whether the player cannot close the dialog at the moment. */
  readonly isBusy?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/**
 * A modal dialog that is open as long as it is rendered. The dialog traps the focus, closes on Escape, and returns the
 * focus when it closes. Import the dialog lazily, because it loads Mantine's Modal, which no first screen needs.
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
      onFocusCapture={keepFocus}
      // Without this role, screen readers would treat Mantine's <header> as a second banner of the page.
      attributes={{ header: { role: 'presentation' } }}
      classNames={{ content: classes.dialog, header: classes.header, title: classes.title, close: classes.close }}
    >
      {children}
    </Modal>
  )
}

/**
 * Mantine focuses `[data-autofocus]` twice, the second time slightly later. Move the attribute together with the focus,
 * so that the second call does not undo a Tab press in between.
 */
function keepFocus({ currentTarget, target }: FocusEvent): void {
  if (!currentTarget.contains(target)) return
  for (const marked of currentTarget.querySelectorAll('[data-autofocus]')) marked.removeAttribute('data-autofocus')
  target.setAttribute('data-autofocus', '')
}

/**
 * Returns the focus when the component unmounts. Mantine's own `returnFocus` fails if the dialog's code was loaded only
 * after the press.
 */
function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    },
    [before],
  )
}
