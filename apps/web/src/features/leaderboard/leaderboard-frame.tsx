import type { ReactNode } from 'react'
import { LeaderboardBanner } from './leaderboard-banner.tsx'
import classes from './leaderboard-screen.module.css'
import { WinnerSkeleton } from './winner-row.tsx'

const PLACES = [1, 2, 3]

/** The static parts of the leaderboard around the winners (`children`), and what follows them. */
export function LeaderboardFrame({ children, after }: { children: ReactNode; after?: ReactNode }) {
  return (
    <div className={classes.page}>
      <LeaderboardBanner />
      {children}
      <footer className={classes.footer}>
        <p>Winners are updated every 30 seconds</p>
        <p>Rankings are based on total PnL from trades in the last 6 hours</p>
      </footer>
      {after}
    </div>
  )
}

/** Placeholders while the winners load. */
export function BlankWinners() {
  return (
    <div role="status">
      <span className="visually-hidden">Loading leaderboard</span>
      <ol className={classes.list} aria-hidden="true">
        {PLACES.map((rank) => (
          <WinnerSkeleton key={rank} rank={rank} />
        ))}
      </ol>
    </div>
  )
}
