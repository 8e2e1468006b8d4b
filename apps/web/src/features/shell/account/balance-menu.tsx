import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Menu.css'
import { Menu } from '@mantine/core'
import { formatUsdHint } from '@papermoon/format'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { Themed } from '../../../components/layout/themed.tsx'
import type { CurrentUser } from '../../../lib/api/api.ts'
import { useShownFair } from '../../../lib/fairs/shown-fair.ts'
import { chooseScheme, useShownScheme } from '../../../lib/ui/color-scheme.ts'
import classes from './balance.module.css'
import { BalanceButton } from './balance-button.tsx'
import { logout } from './logout.ts'

const PAGES = ['Dashboard', 'Portfolio', 'Following', 'Settings'] as const

/** The menu is open at first, because the player's press also loads its code. */
export function BalanceMenu({ user }: { user: CurrentUser }) {
  return (
    <Themed>
      <OpenMenu user={user} />
    </Themed>
  )
}

function OpenMenu({ user }: { user: CurrentUser }) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(true)
  const isInFair = useShownFair() !== null
  return (
    <Menu
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={240}
      shadow="none"
      classNames={{ dropdown: classes.dropdown, item: classes.item }}
      // Use no transition, because text that fades has too little contrast.
      transitionProps={{ duration: 0 }}
      // Mantine would return the focus to the pressed button, but that one is no longer on the page.
      onClose={() => button.current?.focus({ preventScroll: true })}
    >
      <Menu.Target>
        {/* Mantine moves the focus into the menu only after a delay. Handle the menu's keys here until then. */}
        <BalanceButton ref={button} user={user} onKeyDown={({ key }) => key === 'Escape' && setOpen(false)} />
      </Menu.Target>
      <Menu.Dropdown>
        <div className="stack gap-xs p-s-m">
          <strong className="breaks">{user.username}</strong>
          <span className="small">
            {user.solBalance} SOL{isInFair && ' outside the fair'}
          </span>
          <span className="small">{formatUsdHint(user.solBalance)}</span>
        </div>
        <Menu.Divider />
        {PAGES.map((name) => (
          <Menu.Item key={name} component={Link} to={`/${name.toLowerCase()}`}>
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <ColorSchemeItem />
        <Menu.Item onClick={() => void logout()}>Logout</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function ColorSchemeItem() {
  const other = useShownScheme() === 'dark' ? 'light' : 'dark'
  return (
    <Menu.Item closeMenuOnClick={false} onClick={() => chooseScheme(other)}>
      {other === 'light' ? '☀️ Light colours' : '🌙 Dark colours'}
    </Menu.Item>
  )
}
