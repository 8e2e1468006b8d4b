import { Link } from '@tanstack/react-router'
import classes from './docs-screen.module.css'

const PATHS = [
  {
    emoji: '📈',
    name: 'The Trader',
    text: 'Buys what others are about to want, sells what they still want. Reads the chart, watches the price impact, takes profits. Boring at parties, first on the leaderboard.',
  },
  {
    emoji: '🎨',
    name: 'The Creator',
    text: 'Launches a token with a name, a face and a story, and gets a crowd to believe in it for an afternoon. Pays 0.02 SOL for the privilege and keeps whatever legend comes out of it.',
  },
  {
    emoji: '🎲',
    name: 'The Degen',
    text: 'Presses the 10 SOL button first and reads the description later. Statistically doomed, spiritually undefeated. The fair would be half as loud without them.',
  },
] as const

export function HowToPlay() {
  return (
    <>
      <ol className={`bullets ${classes.steps}`}>
        <li>
          <strong>Register.</strong> You start with 100 SOL. It is play money: spend it as if it were someone else’s.
        </li>
        <li>
          <strong>Explore.</strong> Every ticket on the fairground is a token that someone launched. Press one to see
          its chart, its pool, its holders and its trades, all live.
        </li>
        <li>
          <strong>Trade.</strong> Type an amount. Before you press the button the panel shows what you receive, the fee,
          the price impact, and the least you will accept. Then press the button anyway.
        </li>
        <li>
          <strong>Launch.</strong> A name and a ticker are enough. The pool opens at once, with the whole supply in it.
        </li>
        <li>
          <strong>Practise.</strong> <Link to="/tape">Yesterday’s tape</Link> is a game of three minutes a day: one buy,
          one sale, and not a SOL of yours in it.
        </li>
        <li>
          <strong>Compete.</strong> In an <Link to="/fairs/{-$id}">arena</Link> everyone starts with the same SOL, and
          the bell decides.
        </li>
        <li>
          <strong>Win.</strong> The three players with the highest profit of the last 6 hours are the winners, and
          winners get giveaway rewards.
        </li>
      </ol>
      <h3 className={classes.sub}>Choose a path, or don’t</h3>
      <div className={classes.paths}>
        {PATHS.map(({ emoji, name, text }) => (
          <div key={name} className={classes.path}>
            <span className={classes.emoji} aria-hidden="true">
              {emoji}
            </span>
            <h4 className={classes.pathName}>{name}</h4>
            <p>{text}</p>
          </div>
        ))}
      </div>
    </>
  )
}
