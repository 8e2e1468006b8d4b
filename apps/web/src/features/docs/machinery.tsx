import { Link } from '@tanstack/react-router'
import classes from './docs-screen.module.css'

const NUMBERS = [
  ['You start with', '100 SOL'],
  ['A launch costs', '0.02 SOL'],
  ['Supply of every token', '1,000,000,000'],
  ['Price at launch', '0.00000003 SOL'],
  ['Market cap at launch', '$6,000'],
  ['Trading fee', '0.3%'],
  ['A SOL counts as', '$200'],
] as const

export function Machinery() {
  return (
    <>
      <p>
        Nobody sets a price here. Every token has a pool with two piles in it, SOL and tokens, and one rule:{' '}
        <em>x × y = k</em>. Multiply the piles and the product may never fall. Buy tokens and their pile shrinks, so the
        SOL pile has to grow, so the next token costs more. Sell and the film runs backwards.
      </p>
      <p>
        At launch all of the supply lies in the pool beside 30 <em>virtual</em> SOL. They are painted on: they give the
        first price, and nobody can ever take them out. What can be paid out is what players really put in, to the last
        lamport. All trades are worked out on our server in one exact order, off any chain, in decimal numbers that are
        never rounded in anybody’s favour but the pool’s.
      </p>
      <p>
        That makes small pools bouncy. A 5 SOL buy moves a fresh token by about a third. This is not a bug, this is the
        Ferris wheel.
      </p>
      <p>
        You need not believe any of this. On the <Link to="/proof">proof page</Link> you see where all SOL is, to the
        last lamport, and your own browser verifies that nobody changed an old trade, us included.
      </p>
      <dl className={classes.numbers}>
        {NUMBERS.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
