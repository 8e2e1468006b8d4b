import { lazy, Suspense, useState } from 'react'
import { loadLate } from '../../../lib/boot/lazy-import.ts'
import { useHotkey } from '../../../lib/ui/hotkeys.ts'
import classes from '../nav/footer.module.css'

const loadKeySheet = () => import('./shortcuts-dialog.tsx')
const KeySheet = lazy(() => loadLate(loadKeySheet).then((module) => ({ default: module.KeySheet })))

/** Opens the sheet of keys, by its own key or by a press for those who do not know that one yet. */
export function KeySheetControl() {
  const [isOpen, setOpen] = useState(false)
  useHotkey('?', () => setOpen(true))
  return (
    <>
      <button
        type="button"
        className={classes.keys}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        onPointerEnter={() => void loadLate(loadKeySheet)}
        onFocus={() => void loadLate(loadKeySheet)}
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
