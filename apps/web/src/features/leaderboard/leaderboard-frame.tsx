import type { ReactNode } from 'react'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import classes from './leaderboard-frame.module.css'
import { Medal } from './winner-row.tsx'

/** Heights of the winners' rows in px. */
const HEIGHTS = [140, 118, 118]

/** The parts of the leaderboard that do not change. */
export function LeaderboardFrame({ children, after }: { children: ReactNode; after?: ReactNode }) {
  return (
    <div className={classes.page}>
      <LeaderboardBanner />
      {children}
      <footer className="stack gap-xs small text-center mt-xl">
        <p>Winners are updated every 30 seconds</p>
        <p>Rankings are based on total PnL from trades in the last 6 hours</p>
      </footer>
      {after}
    </div>
  )
}

export function BlankWinners() {
  return (
    <ol className="stack gap-m">
      {HEIGHTS.map((height, index) => (
        <li key={index}>
          <Skeleton height={height} {...(index === 0 && { label: 'Loading leaderboard' })} />
        </li>
      ))}
    </ol>
  )
}

const HANGING = [2, 1, 3]

/** The leaderboard's heading: a night sky with prizes. */
function LeaderboardBanner() {
  return (
    <header className={`row top between mb-l clipped round-l relative ${classes.banner}`}>
      <svg
        className={`full absolute ${classes.hills}`}
        viewBox="0 0 860 120"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path fill="var(--pm-hill-far)" d="M0 66Q150 22 330 58T860 30V120H0Z" />
        <path fill="var(--pm-hill-mid)" d="M0 92Q240 52 460 86T860 64V120H0Z" />
        <path fill="var(--pm-hill-near)" d="M0 110Q200 88 420 104T860 94V120H0Z" />
      </svg>
      <div className={`p-2xl ${classes.words}`}>
        <h1 className="text-3xl solid">Leaderboard</h1>
        <p className="mt-s text-m">Top 3 Winners from Last 6 Hours</p>
      </div>
      <div className={`row stretch gap-l ${classes.prizes}`} aria-hidden="true">
        {HANGING.map((rank) => (
          <span key={rank} className={`relative swings ${classes.prize}`} data-rank={rank}>
            <Medal rank={rank} />
          </span>
        ))}
      </div>
    </header>
  )
}
