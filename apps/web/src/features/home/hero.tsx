import { ButtonLink } from '../../components/button.tsx'
import { useCurrentUser } from '../../lib/current-user.ts'
import classes from './hero.module.css'
import { HeroScene } from './hero-scene.tsx'

/** The banner over the market. */
export function Hero() {
  const user = useCurrentUser()
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
        <div className={classes.actions}>
          {user === null ? (
            <ButtonLink to="/auth" tall>
              Get 100 SOL to play
            </ButtonLink>
          ) : (
            <ButtonLink to="/launch" tall>
              Launch your own
            </ButtonLink>
          )}
          <ButtonLink to="/docs" look="quiet" tall>
            How to play
          </ButtonLink>
        </div>
      </div>
    </section>
  )
}
