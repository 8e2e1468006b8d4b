import type { ReactNode } from 'react'
import classes from './hero.module.css'
import { HeroScene } from './hero-scene.tsx'

/** The home page's banner around its actions (`children`). */
export function HeroFrame({ children }: { children: ReactNode }) {
  return (
    <section className={classes.hero} aria-labelledby="hero-title">
      <HeroScene />
      <div className={classes.words}>
        <h1 id="hero-title" className={classes.title}>
          trade like a millionaire
        </h1>
        <p className={classes.text}>
          <span>A simulated launchpad with off-chain AMM trading and real-time charts.</span>{' '}
          <span>Play money, real nerves.</span>
        </p>
        <div className={classes.actions}>{children}</div>
      </div>
    </section>
  )
}
