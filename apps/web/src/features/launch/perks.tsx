import classes from './launch-screen.module.css'

const PERKS = [
  { emoji: '🎟️', title: '1 Billion total supply', text: 'All of it in the pool, none of it in a drawer.' },
  { emoji: '💧', title: 'Instant liquidity pool creation', text: 'Open for trading in the same breath, at $6,000.' },
  { emoji: '✂️', title: '0.3% trading fee', text: 'On every buy and sell. The treasury says thank you.' },
] as const

/** Advantages of every launch. */
export function Perks() {
  return (
    <section aria-labelledby="perks-title">
      <h2 id="perks-title" className={classes.sideTitle}>
        Every launch comes with
      </h2>
      <ul className={classes.perks}>
        {PERKS.map(({ emoji, title, text }) => (
          <li key={title} className={classes.perk}>
            <span className={classes.perkEmoji} aria-hidden="true">
              {emoji}
            </span>
            <span>
              <strong>{title}</strong>
              <span className={classes.perkText}>{text}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
