import { lazy, Suspense, useState } from 'react'
import { lazyImport } from '../../../lib/boot/lazy-import.ts'
import { useHotkey } from '../../../lib/ui/hotkeys.ts'
import classes from '../nav/footer.module.css'

const loadShortcutsDialog = () => import('./shortcuts-dialog.tsx')
const KeySheet = lazy(() => lazyImport(loadShortcutsDialog).then((module) => ({ default: module.ShortcutsDialog })))

/** The button in the footer and the `?` key that open the shortcuts dialog. */
export function ShortcutsControl() {
  const [isOpen, setOpen] = useState(false)
  useHotkey('?', () => setOpen(true))
  return (
    <>
      <button
        type="button"
        className={classes.keys}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        onPointerEnter={() => void lazyImport(loadShortcutsDialog)}
        onFocus={() => void lazyImport(loadShortcutsDialog)}
      >
        Keyboard shortcuts
      </button>
      {isOpen && (
        <Suspense>
          <KeySheet onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
