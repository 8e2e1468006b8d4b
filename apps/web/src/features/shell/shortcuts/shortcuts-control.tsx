import { lazy, Suspense, useState } from 'react'
import { lazyImport } from '../../../lib/boot/lazy-import.ts'
import { useHotkey } from '../../../lib/ui/hotkeys.ts'
import classes from '../nav/footer.module.css'

const loadShortcutsDialog = () => import('./shortcuts-dialog.tsx')
const KeySheet = lazy(() => lazyImport(loadShortcutsDialog).then((module) => ({ default: module.ShortcutsDialog })))

/** Opens the sheet of keys, by its own key or by a press for those who do not know that one yet. */
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
