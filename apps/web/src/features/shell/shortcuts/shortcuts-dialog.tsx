import '@mantine/core/styles/Kbd.css'
import { Kbd } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { Option } from '../../../components/form/option.tsx'
import { Dialog } from '../../../components/layout/dialog.tsx'
import { switchSingleKeys, useSingleKeys } from '../../../lib/ui/hotkeys.ts'

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
      <div className="stack gap-m p-xs-s">
        <KeyList keys={LETTER_KEYS} areOff={!areOn} />
        <Option type="checkbox" title="Single-key shortcuts" isOn={areOn} onChange={switchSingleKeys} />
        <p className="small">
          {areOn
            ? 'These keys do nothing while you type, except b and s in an amount field. You can switch them off here and in '
            : 'These keys are switched off. You can switch them on here and in '}
          <Link to="/settings" search={{ section: 'display' }} onClick={onClose}>
            Settings
          </Link>
          .
        </p>
        <KeyList keys={OTHER_KEYS} />
      </div>
    </Dialog>
  )
}

interface KeyListProps {
  readonly keys: readonly { readonly key: string; readonly does: string }[]
  readonly areOff?: boolean
}

function KeyList({ keys, areOff = false }: KeyListProps) {
  return (
    <dl className="grid middle gap-wide cols-fit-wide">
      {keys.map(({ key, does }) => (
        <Fragment key={key}>
          <dt className="text-center">
            <Kbd size="lg" ff="inherit" className="on-sunken">
              {key}
            </Kbd>
          </dt>
          <dd className={areOff ? 'dim' : ''} style={{ textDecoration: areOff ? 'line-through' : 'none' }}>
            {does}
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}
