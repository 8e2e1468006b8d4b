import player from '../../components/tokens/player-link.module.css'
import classes from './header/token-header.module.css'
import { TokenHeaderFrame } from './header/token-header-frame.tsx'
import { TokenSkeleton } from './token-skeleton.tsx'

/** The token page's static first view: names, but no figures yet. */
export function TokenFirstView({ creator, ...token }: Record<'emoji' | 'name' | 'symbol' | 'creator', string>) {
  return (
    <TokenSkeleton
      header={
        <TokenHeaderFrame
          {...token}
          creator={<span className={player.link}>{creator}</span>}
          price={<BlankFigure beside="≈ $100.00 per million" />}
          marketCap={<BlankFigure beside="1,000.00 SOL" />}
        />
      }
    />
  )
}

/** Placeholder as high as a figure, and about as wide as `beside`. */
function BlankFigure({ beside }: { beside: string }) {
  return (
    <>
      <span className={classes.value}>&nbsp;</span>
      <span className={classes.beside} style={{ visibility: 'hidden' }}>
        {beside}
      </span>
    </>
  )
}
