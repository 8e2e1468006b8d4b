import { Link } from '@tanstack/react-router'
import { Dialog } from '../../../components/layout/dialog.tsx'
import { switchSingleKeys, useSingleKeys } from '../../../lib/ui/hotkeys.ts'
import classes from './shortcuts-dialog.module.css'

const LETTER_KEYS = [
  { key: '/', does: 'Search everything, or only tokens on the home page' },
  { key: 'b', does: 'On a token page: jump to the buy amount' },
  { key: 's', does: 'On a token page: jump to the sell amount' },
  { key: 'Space', does: 'In the time machine: play or pause' },
  { key: '?', does: 'Show this list' },
]
const OTHER_KEYS = [
  { key: 'Ctrl K', does: 'Search everything: tokens, players, pages, actions (⌘K on a Mac)' },
  { key: '← →', does: 'In the time machine: go to the previous or next event' },
  { key: 'Home End', does: 'In the time machine: jump to the launch or the last event' },
  { key: 'Enter', does: 'On the chart: open the time machine at the chosen candle' },
  { key: 'F8', does: 'Move focus to the notification' },
  { key: 'Esc', does: 'Close a menu or a dialog, or leave an amount field' },
]

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const areOn = useSingleKeys()
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <KeyList keys={LETTER_KEYS} areOff={!areOn} />
      <label className={`row gap-s touch semibold pointer ${classes.switch}`}>
        <input
          type="checkbox"
          checked={areOn}
          onChange={({ currentTarget }) => switchSingleKeys(currentTarget.checked)}
        />
        Single-key shortcuts
      </label>
      <p className={`small torn-bottom ${classes.note}`}>
        {areOn
          ? 'These keys do nothing while you type, except b and s in an amount field. You can switch them off here and in '
          : 'These keys are switched off. You can switch them on here and in '}
        <Link to="/settings" search={{ section: 'display' }} onClick={onClose}>
          Settings
        </Link>
        .
      </p>
      <KeyList keys={OTHER_KEYS} />
    </Dialog>
  )
}

interface KeyListProps {
  readonly keys: readonly { readonly key: string; readonly does: string }[]
  readonly areOff?: boolean
}

function KeyList({ keys, areOff = false }: KeyListProps) {
  return (
    <dl className={`stack gap-xs ${classes.list}`} data-off={areOff}>
      {keys.map(({ key, does }) => (
        <div key={key} className={`grid gap-m middle ${classes.row}`}>
          <dt className="text-center">
            <kbd className={`p-xs-s round-s on-sunken bold text-center edge-strong inline-block ${classes.key}`}>
              {key}
            </kbd>
          </dt>
          <dd className={classes.does}>{does}</dd>
        </div>
      ))}
    </dl>
  )
}
