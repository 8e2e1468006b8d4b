import { memo } from 'react'
import { ButtonLink } from '../../../components/form/button.tsx'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { HeroFrame } from './hero-frame.tsx'
import { KeptScene } from './kept-scene.tsx'

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
          Launch your own
        </ButtonLink>
      )}
      <ButtonLink to="/docs" look="quiet" tall>
        How to play
      </ButtonLink>
    </HeroFrame>
  )
})
