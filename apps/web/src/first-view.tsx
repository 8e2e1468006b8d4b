import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Moon } from './components/layout/moon.tsx'
import player from './components/tokens/player-link.module.css'
import { HeroFrame } from './features/home/hero/hero-frame.tsx'
import { HeroScene } from './features/home/hero/hero-scene.tsx'
import { BlankWinners, LeaderboardFrame } from './features/leaderboard/leaderboard-frame.tsx'
import nav from './features/shell/nav/nav-bar.module.css'
import { NAV_LINKS } from './features/shell/nav/nav-links.ts'
import shell from './features/shell/shell.module.css'
import classes from './features/tokens/header/token-header.module.css'
import { TokenHeaderFrame } from './features/tokens/header/token-header.tsx'
import { TokenSkeleton } from './features/tokens/token-skeleton.tsx'

/** Placeholders that the server replaces with the token's data. */
const TOKEN = { emoji: '{emoji}', name: '{name}', symbol: '{symbol}', creator: '{creator}' }

/**
 * Returns static HTML by route (`*` for any other route). Browsers show this HTML until the app has rendered. The build
 * renders it from parts that are the same for all visitors. The HTML has no interactive elements and is hidden from
 * screen readers.
 */
export function firstViews(): Record<string, string> {
  const views: Record<string, ReactNode> = {
    '/': (
      <HeroFrame scene={<HeroScene />}>
        {/* Reserve space for the buttons, because their labels depend on the visitor. */}
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
    <div className={`stack ${shell.shell}`} aria-hidden="true" inert>
      <div className={`sticky on-surface ${nav.header}`}>
        <div className={`row gap-l phone-gap-s mx-auto px-m ${nav.bar}`}>
          <span className={`touch display text-xl bare inline-row gap-s ${nav.brand}`}>
            <Moon size={32} />
            <span className={nav.word}>Papermoon</span>
          </span>
          <span className={`row stretch gap-s ${nav.links}`}>
            <Names />
          </span>
        </div>
        <div className={nav.row}>
          <div className={`grow ${nav.rowLinks}`}>
            <Names />
          </div>
          <span className={`icon-button ${nav.rowSearch}`} />
        </div>
        <div className={`absolute untouchable ${nav.awning}`} />
      </div>
      <div className={`grow full mx-auto p-xl-l ${shell.main}`}>{children}</div>
    </div>
  )
}

function Names() {
  return (
    <>
      {NAV_LINKS.map(({ name }) => (
        <span key={name} className={`inline-row control dim px-s bare round-s semibold ${nav.link}`}>
          {name}
        </span>
      ))}
      <span className={`inline-row control dim px-s bare round-s semibold ${nav.link}`}>
        Community
        <span className={`text-s ${nav.outside}`} />
      </span>
    </>
  )
}

/** The static first view of a token's page, with the names and the values that the server knows. */
function TokenFirstView({ creator, ...token }: Record<'emoji' | 'name' | 'symbol' | 'creator', string>) {
  return (
    <TokenSkeleton
      header={
        <TokenHeaderFrame
          {...token}
          creator={<span className={`semibold ${player.link} cut`}>{creator}</span>}
          price={
            <Figure beside="{perMillion} per million">
              {'{price}'} <small>SOL</small>
            </Figure>
          }
          marketCap={<Figure beside="{capInSol} SOL">{'{marketCap}'}</Figure>}
        />
      }
    />
  )
}

function Figure({ beside, children }: { beside: string; children: ReactNode }) {
  return (
    <>
      <span className={`px-s round-s text-2xl heavy tight nowrap bleed-s inline-block ${classes.value}`}>
        {children}
      </span>
      <span className="small nowrap block phone-hidden">{beside}</span>
    </>
  )
}
