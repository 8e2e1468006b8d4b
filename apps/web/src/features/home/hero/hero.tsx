import { memo, useLayoutEffect, useRef } from 'react'
import { ButtonLink } from '../../../components/form/button.tsx'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { lazyPart } from '../../../lib/boot/lazy-import.ts'
import { HeroFrame } from './hero-frame.tsx'
// Keeps the styles with those of the first view.
import './hero-scene.module.css'

const LazyScene = lazyPart(() => import('./hero-scene.tsx'), 'HeroScene')

/** The picture that the first view has drawn; null where the page began with another screen. */
const drawn = document.querySelector('#root > [inert] [data-scene]')

/** The banner's picture: that of the first view, so that its paths are not loaded twice. */
function KeptScene() {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (drawn !== null) place.current?.append(drawn)
  }, [])
  if (drawn !== null) return <div ref={place} aria-hidden="true" />
  return <LazyScene />
}

/** The home page's banner with the first action for guests or players. */
export const Hero = memo(function Hero() {
  const user = useCurrentUser()
  return (
    <HeroFrame scene={user === null && <KeptScene />}>
      {user === null ? (
        <ButtonLink to="/auth" state={{ authTab: 'register' }} tall>
          Get 100 SOL to play
        </ButtonLink>
      ) : (
        <ButtonLink to="/launch" tall>
          Launch a token
        </ButtonLink>
      )}
      <ButtonLink to="/fairs/{-$id}" state={{ beginsQuick: true }} look="quiet" tall>
        Play a quick arena
      </ButtonLink>
    </HeroFrame>
  )
})
