import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { lazyImport, lazyPart } from '../../../lib/boot/lazy-import.ts'
import { useHotkey } from '../../../lib/ui/hotkeys.ts'
import classes from './footer.module.css'

export function Footer() {
  return (
    <footer className={`small p-xl-l torn-top text-center ${classes.footer}`}>
      <p>It’s only a paper moon: play money and no blockchain.</p>
      <Link to="/proof" className={`touch px-m dim underlined hover-ink ${classes.keys} inline-row`}>
        Check our balances
      </Link>
      <Link to="/developers" className={`touch px-m dim underlined hover-ink ${classes.keys} inline-row`}>
        Developers
      </Link>
      <ShortcutsControl />
    </footer>
  )
}

const loadShortcutsDialog = () => import('../shortcuts/shortcuts-dialog.tsx')
const KeySheet = lazyPart(loadShortcutsDialog, 'ShortcutsDialog')

/** Opens the shortcuts dialog, by a button in the footer or by the `?` key. */
function ShortcutsControl() {
  const [isOpen, setOpen] = useState(false)
  useHotkey('?', () => setOpen(true))
  return (
    <>
      <button
        type="button"
        className={`touch px-m dim underlined hover-ink ${classes.keys} ${classes.shortcuts}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        onPointerEnter={() => void lazyImport(loadShortcutsDialog)}
        onFocus={() => void lazyImport(loadShortcutsDialog)}
      >
        Keyboard shortcuts
      </button>
      {isOpen && <KeySheet onClose={() => setOpen(false)} />}
    </>
  )
}
