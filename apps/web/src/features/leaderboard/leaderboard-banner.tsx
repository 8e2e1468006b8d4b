import classes from './leaderboard-banner.module.css'
import { Medal } from './medal.tsx'

const HANGING = [2, 1, 3]

/** The screen's heading on a night sky with prizes hanging from it. */
export function LeaderboardBanner() {
  return (
    <header className={classes.banner}>
      <svg className={classes.hills} viewBox="0 0 860 120" preserveAspectRatio="none" aria-hidden="true">
        <path className={classes.far} d="M0 66Q150 22 330 58T860 30V120H0Z" />
        <path className={classes.mid} d="M0 92Q240 52 460 86T860 64V120H0Z" />
        <path className={classes.near} d="M0 110Q200 88 420 104T860 94V120H0Z" />
      </svg>
      <div className={classes.words}>
        <h1 className={classes.title}>Leaderboard</h1>
        <p className={classes.text}>Top 3 Winners from Last 6 Hours</p>
      </div>
      <div className={classes.prizes} aria-hidden="true">
        {HANGING.map((rank) => (
          <span key={rank} className={classes.prize} data-rank={rank}>
            <Medal rank={rank} />
          </span>
        ))}
      </div>
    </header>
  )
}
