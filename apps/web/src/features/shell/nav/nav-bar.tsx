import { Link } from '@tanstack/react-router'
import { ButtonLink } from '../../../components/form/button.tsx'
import { Moon } from '../../../components/layout/moon.tsx'
import type { CurrentUser } from '../../../lib/api/api.ts'
import { BalanceControl } from '../account/balance-control.tsx'
import { GuestBalance } from '../account/guest-balance.tsx'
import { BellSlot } from '../bell/bell-slot.tsx'
import { SearchButton } from '../search/search-button.tsx'
import { useSearchPalette } from '../search/use-search-palette.tsx'
import { ColorSchemeButton } from './color-scheme-button.tsx'
import { LiveIndicator } from './live-indicator.tsx'
import classes from './nav-bar.module.css'
import { NavLinks } from './nav-links.tsx'

/** The navigation bar on every screen. On phones the links move to a second row. */
export function NavBar({ user }: { user: CurrentUser | null }) {
  const search = useSearchPalette()
  return (
    <header className={classes.header}>
      <div className={classes.bar}>
        <Link to="/" className={classes.brand} aria-label="Papermoon, home">
          <Moon className={classes.moon} />
          <span className={classes.word}>Papermoon</span>
        </Link>
        <nav className={classes.links} aria-label="Main">
          <NavLinks />
        </nav>
        <div className={classes.controls}>
          <LiveIndicator />
          <SearchButton place={classes.barSearch} onOpen={search.open} />
          {user === null ? (
            <>
              <GuestBalance />
              <ColorSchemeButton />
              <ButtonLink to="/auth" className={classes.action}>
                Login / Register
              </ButtonLink>
            </>
          ) : (
            <>
              <ButtonLink to="/launch" className={classes.action}>
                Launch Token
              </ButtonLink>
              <BellSlot key={user.id} />
              <BalanceControl user={user} />
            </>
          )}
        </div>
      </div>
      <div className={classes.row}>
        <nav className={classes.rowLinks} aria-label="Main">
          <NavLinks />
        </nav>
        <SearchButton place={classes.rowSearch} onOpen={search.open} />
      </div>
      {search.palette}
      <div className={classes.awning} aria-hidden="true" />
    </header>
  )
}
