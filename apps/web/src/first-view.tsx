import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Moon } from './components/layout/moon.tsx'
import { HeroFrame } from './features/home/hero/hero-frame.tsx'
import { BlankWinners, LeaderboardFrame } from './features/leaderboard/leaderboard-frame.tsx'
import nav from './features/shell/nav/nav-bar.module.css'
import { NAV_PLACES } from './features/shell/nav/nav-places.ts'
import shell from './features/shell/shell.module.css'
import { TokenFirstView } from './features/tokens/token-first-view.tsx'

/** The words that only the server knows: it puts its own in the place of each `{…}`. */
const TOKEN = { emoji: '{emoji}', name: '{name}', symbol: '{symbol}', creator: '{creator}' }

/**
 * What stands on the screen until the scripts are there, as HTML by screen (`*`: any other): drawn by the build, from
 * the parts that look the same for everybody. Nothing of it can be pressed, and a screen reader waits for the screen.
 */
export function firstViews(): Record<string, string> {
  const views: Record<string, ReactNode> = {
    '/': (
      <HeroFrame>
        {/* The height of the buttons, of which nobody knows yet what they say. */}
        <span style={{ height: 50 }} />
      </HeroFrame>
    ),
    '/leaderboard': (
      <LeaderboardFrame>
        <BlankWinners />
      </LeaderboardFrame>
    ),
    '/token/$id': <TokenFirstView {...TOKEN} />,
    '*': null,
  }
  const drawn = Object.entries(views).map(([screen, view]) => [
    screen,
    renderToStaticMarkup(<FirstView>{view}</FirstView>),
  ])
  return Object.fromEntries(drawn)
}

function FirstView({ children }: { children: ReactNode }) {
  return (
    <div className={shell.shell} aria-hidden="true" inert>
      <div className={nav.header}>
        <div className={nav.bar}>
          <span className={nav.brand}>
            <Moon className={nav.moon} />
            <span className={nav.word}>Papermoon</span>
          </span>
          <span className={nav.links}>
            <Names />
          </span>
        </div>
        <div className={nav.rowLinks}>
          <Names />
        </div>
        <div className={nav.awning} />
      </div>
      <div className={shell.main}>{children}</div>
    </div>
  )
}

function Names() {
  return (
    <>
      {NAV_PLACES.map(({ name }) => (
        <span key={name} className={nav.link}>
          {name}
        </span>
      ))}
      <span className={nav.link}>
        Community<span className={nav.outside}>↗</span>
      </span>
    </>
  )
}
