import { Link } from '@tanstack/react-router'
import { ButtonLink } from '../../../components/form/button.tsx'
import { SearchIcon } from '../../../components/layout/icons.tsx'
import { Moon } from '../../../components/layout/moon.tsx'
import { type CurrentUser, trpc } from '../../../lib/api/api.ts'
import { lazyPart } from '../../../lib/boot/lazy-import.ts'
import { useShownFair } from '../../../lib/fairs/shown-fair.ts'
import { useConnection } from '../../../lib/live/socket.ts'
import balanceClasses from '../account/balance.module.css'
import { BalanceControl } from '../account/balance-control.tsx'
import { useSearchPalette } from '../search/use-search-palette.tsx'
import { ColorSchemeButton } from './color-scheme-button.tsx'
import classes from './nav-bar.module.css'
import { NAV_LINKS } from './nav-links.ts'

/** On narrow screens, the links move to a second row, and on phones to the bottom. */
export function NavBar({ user }: { user: CurrentUser | null }) {
  const search = useSearchPalette()
  const fair = useShownFair()
  return (
    <header className={`sticky on-surface ${classes.header}`}>
      <div className={`row gap-l phone-gap-s mx-auto px-m ${classes.bar}`}>
        <Link
          to="/"
          className={`touch display text-xl bare inline-row gap-s ${classes.brand}`}
          aria-label="Papermoon, home"
        >
          <Moon size={32} />
          <span className={classes.word}>Papermoon</span>
        </Link>
        <nav className={`row stretch gap-s ${classes.links}`} aria-label="Main">
          <NavLinks />
        </nav>
        <div className={`row gap-s ml-auto ${classes.controls}`}>
          <LiveIndicator />
          <SearchButton place={classes.barSearch} onOpen={search.open} />
          {user === null ? (
            <>
              <span className={`stack text-s semibold tight nowrap ${balanceClasses.guest}`}>
                Guest <span className="dim text-xs">0.00 SOL</span>
              </span>
              <ColorSchemeButton />
              <ButtonLink to="/auth" look="quiet" className={classes.action}>
                Login / Register
              </ButtonLink>
            </>
          ) : (
            <>
              <ButtonLink to="/launch" search={fair?.launch ?? {}} look="quiet" className={classes.action}>
                <span className={classes.launch}>Launch Token</span>
              </ButtonLink>
              {/* Reserve the component's space until it is loaded. */}
              <span key={user.id} style={{ minWidth: 'var(--pm-touch)' }}>
                <Bell />
              </span>
              <BalanceControl user={user} />
            </>
          )}
        </div>
      </div>
      <div className={classes.row}>
        <nav className={`grow ${classes.rowLinks}`} aria-label="Main">
          <NavLinks />
        </nav>
        <SearchButton place={classes.rowSearch} onOpen={search.open} />
      </div>
      {search.palette}
      <div className={`absolute untouchable ${classes.awning}`} aria-hidden="true" />
    </header>
  )
}

/** Shows "Live" or "Offline". Shows nothing until the connection's state is known. */
function LiveIndicator() {
  const { state } = useConnection()
  return (
    <span
      className={`small semibold inline-row gap-s ${state === 'offline' ? 'alarm' : ''} ${classes.indicator}`}
      data-state={state}
      role="status"
    >
      <span className={`round ${classes.lamp}`} aria-hidden="true" />
      <span className={classes.label}>{state === 'offline' ? 'Offline' : state === 'live' ? 'Live' : ''}</span>
    </span>
  )
}

function NavLinks() {
  const href = trpc.site.settings.useQuery().data?.communityUrl
  return (
    <>
      {NAV_LINKS.map(({ to, name }) => (
        <Link
          key={to}
          to={to}
          // Set no id, because the link would otherwise contain the current page's id, such as a token's.
          params={{ id: undefined }}
          className={`inline-row control dim px-s bare round-s semibold hover-ink ${classes.link}`}
          activeOptions={{ exact: to === '/' }}
        >
          {name}
        </Link>
      ))}
      <a
        className={`inline-row control dim px-s bare round-s semibold hover-ink ${classes.link}`}
        // Reserve the link's space until its URL is known.
        hidden={href === undefined}
        href={href}
        target="_blank"
        rel="noopener noreferrer"
      >
        Community
        <span aria-hidden="true" className={`text-s ${classes.outside}`}>
          ↗
        </span>
        <span className="visually-hidden"> (opens in a new tab)</span>
      </a>
    </>
  )
}

/** Load the code lazily, because no first screen needs it. */
const Bell = lazyPart(() => import('../bell/bell.tsx'), 'Bell')

/**
 * A button that opens the global search. The CSS class `place` decides at which of two positions the button is visible.
 */
function SearchButton({ place, onOpen }: { place: string | undefined; onOpen: () => void }) {
  return (
    <button
      type="button"
      className={`icon-button ${place}`}
      aria-label="Search everything"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      title="Search everything (Ctrl K)"
      onClick={onOpen}
    >
      <SearchIcon size={20} />
    </button>
  )
}
