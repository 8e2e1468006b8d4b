import { Link } from '@tanstack/react-router'
import classes from './docs-screen.module.css'

const PATHS = [
  {
    emoji: '📈',
    name: 'The Trader',
    text: 'The Trader buys tokens early and sells them while other players still want them. Traders read the chart, watch the price impact and take profits. They are boring at parties and first on the leaderboard.',
  },
  {
    emoji: '🎨',
    name: 'The Creator',
    text: 'The Creator launches a token with a name, a face and a story, and gets a crowd to believe in it for an afternoon. The launch costs 0.02 SOL. The legend is free.',
  },
  {
    emoji: '🎲',
    name: 'The Degen',
    text: 'The Degen presses the 10 SOL button first and reads the description later. Degens are statistically doomed and spiritually undefeated. The fair would be half as loud without them.',
  },
] as const

export function HowToPlay() {
  return (
    <>
      <ol className={`bullets ${classes.steps}`}>
        <li>
          <strong>Register.</strong> You start with 100 SOL. SOL is play money here, so spend it as if it were someone
          else’s.
        </li>
        <li>
          <strong>Explore.</strong> Every ticket on the fairground is a token that a player launched. Press a ticket to
          see the token’s chart, pool, holders and trades, all live.
        </li>
        <li>
          <strong>Trade.</strong> Type an amount. The panel shows what you receive, the fee, the price impact, and the
          minimum that you accept. Then press the button anyway.
        </li>
        <li>
          <strong>Launch.</strong> Choose a name and a ticker. Your token’s pool opens at once and contains the whole
          supply.
        </li>
        <li>
          <strong>Practise.</strong> <Link to="/tape">Today’s tape</Link> is a daily game of three minutes. You buy once
          and sell once, and it costs you no SOL.
        </li>
        <li>
          <strong>Compete.</strong> In an <Link to="/fairs/{-$id}">arena</Link>, all players start with the same SOL.
          When the bell rings, the ranking is final.
        </li>
        <li>
          <strong>Win.</strong> The three players with the highest profit of the last 6 hours are the winners. Winners
          get giveaway rewards.
        </li>
      </ol>
      <h3 className={`text-l ${classes.sub}`}>Choose a path, or don’t</h3>
      <div className="columns">
        {PATHS.map(({ emoji, name, text }) => (
          <div key={name} className="card text-m">
            <span className="emoji text-2xl" aria-hidden="true">
              {emoji}
            </span>
            <h4 className="mt-s text-m">{name}</h4>
            <p className="mt-s dim">{text}</p>
          </div>
        ))}
      </div>
    </>
  )
}
