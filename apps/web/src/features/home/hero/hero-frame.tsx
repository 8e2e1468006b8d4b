import type { ReactNode } from 'react'
import classes from './hero.module.css'

interface HeroFrameProps {
  /** The picture behind the banner's text. Players see a narrow banner without a picture. */
  readonly scene: ReactNode
  readonly children: ReactNode
}

export function HeroFrame({ scene, children }: HeroFrameProps) {
  return (
    <section className={`row mt-s clipped round-l relative ${classes.hero}`} aria-labelledby="hero-title">
      {scene}
      <div className={`fit p-xl relative ${classes.words}`}>
        <h1 id="hero-title" className={`text-3xl solid ${classes.title}`}>
          trade like a millionaire
        </h1>
        <p className={`text-m pretty ${classes.text}`}>
          <span>A simulated launchpad with off-chain AMM trading and real-time charts.</span>{' '}
          <span>Play money, real nerves.</span>
        </p>
        <div className={`row stretch gap-m wrap ${classes.actions}`}>{children}</div>
      </div>
    </section>
  )
}
