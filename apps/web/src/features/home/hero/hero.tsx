import { memo, useLayoutEffect, useRef } from 'react'
import { ButtonLink } from '../../../components/form/button.tsx'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { lazyPart } from '../../../lib/boot/lazy-import.ts'
import classes from './hero.module.css'
import { HeroFrame } from './hero-frame.tsx'
// Import the styles here, so that the build puts them together with the styles of the first view.
import './hero-scene.module.css'

const PlayerTicket = lazyPart(() => import('./player-ticket.tsx'), 'PlayerTicket')
const LazyScene = lazyPart(() => import('./hero-scene.tsx'), 'HeroScene')

/** The picture's element in the first view, or null if the page started with another screen. */
const drawn = document.querySelector('#root > [inert] [data-scene]')

/** Reuses the first view's picture, so that its paths are not loaded twice. */
function KeptScene() {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (drawn !== null) place.current?.append(drawn)
  }, [])
  if (drawn !== null) return <div ref={place} aria-hidden="true" />
  return <LazyScene />
}

/** Shows guests the home page's banner with a button for the first step. Players see a summary of their day instead. */
export const Hero = memo(function Hero() {
  const user = useCurrentUser()
  if (user !== null) {
    return (
      <div className={classes.player}>
        <h1 className="visually-hidden">Explore</h1>
        <PlayerTicket playerId={user.id} />
      </div>
    )
  }
  return (
    <HeroFrame scene={<KeptScene />}>
      <ButtonLink to="/auth" state={{ authTab: 'register' }} tall>
        Get 100 SOL to play
      </ButtonLink>
      <ButtonLink to="/fairs/{-$id}" state={{ beginsQuick: true }} look="quiet" tall>
        Play a quick arena
      </ButtonLink>
    </HeroFrame>
  )
})
