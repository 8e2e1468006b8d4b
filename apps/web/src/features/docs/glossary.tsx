import classes from './docs-screen.module.css'

const TERMS = {
  AMM: 'Automated market maker. A formula that always buys and always sells, and never sleeps or sulks.',
  Arena: 'A fair of 15 minutes, every hour. Long enough for a triumph or three disasters.',
  Bag: 'What you hold. Heavy when the price is low.',
  Bell: 'It ends a fair at a secret moment. Always a little too early.',
  Bracket: 'A stop and a target in one order. One fills, and the other ends.',
  Candle: 'A span of time on a chart: where the price began, ended, and how far it strayed in between.',
  'Cash-out value': 'What selling all you hold would pay right now, after the fee. The number to trust.',
  Degen: 'Short for degenerate. A compliment, here.',
  'Diamond hands':
    'Not selling, out of conviction. From the outside it looks exactly like having forgotten the password.',
  DYOR: 'Do your own research. Said by people who did not.',
  Fair: 'A market with its own money, tokens, ranking and end.',
  FOMO: 'Fear of missing out. The most expensive feeling there is.',
  Lamport: 'The smallest piece of a SOL: 0.000000001. We count every one.',
  'Limit order': 'An order that waits for your price or a better one.',
  Liquidity: 'The real SOL in a pool: what sellers together can be paid.',
  'Market cap':
    'Price times supply. What everything would be worth if everyone could sell at the last price. They cannot.',
  Moon: 'Where the price is going. Also, in our case, made of paper.',
  'Net worth':
    'What you could take out right now: your balance, the SOL in your own pools, and the cash-out value of everything else.',
  PnL: 'Profit and loss. Realized: in your pocket. Unrealized: the cash-out value less the cost, in your imagination until you sell.',
  Pool: 'The two piles, SOL and tokens, that every trade goes through.',
  'Price impact': 'How far your own order moves the price.',
  Rank: 'Your position on a leaderboard or in a fair. Temporary, like everything.',
  Room: 'A private fair. Anyone with its link can join.',
  'Rug pull': 'The creator leaves with the liquidity. The token stays, at zero, as a souvenir.',
  Score: 'What ranks you in a fair: your SOL and your share of each pool.',
  Seal: 'A creator’s promise not to pull the rug until a time. The code keeps it for them.',
  Slippage: 'The gap between the price you saw and the price you got.',
  Stake: 'The SOL that everyone starts a fair with.',
  Stop: 'An order that sells when the price falls to yours.',
  Ticker: 'A token’s short name: at most 10 characters, always shouting.',
  Value: 'Amount times the last price. What the market says, and would not pay.',
}

export function Glossary() {
  return (
    <dl className={classes.glossary}>
      {Object.entries(TERMS).map(([term, meaning]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  )
}
