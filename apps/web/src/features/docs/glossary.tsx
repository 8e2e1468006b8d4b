const TERMS = {
  AMM: 'Automated market maker: a formula that always buys and always sells. It never sleeps or sulks.',
  Arena: 'A fair of 15 minutes that starts every hour. It is long enough for a triumph or three disasters.',
  Bag: 'The tokens that you hold. A bag feels heavy when the price is low.',
  Bell: 'The bell ends a fair at a secret time. It always rings a little too early.',
  Bracket: 'A stop and a target in one order. When one of them sells your tokens, the order ends.',
  Candle:
    'A period on a chart. It shows the first and last price of the period, and how far the price strayed in between.',
  'Cash-out value':
    'The SOL that selling your whole bag would pay right now, after the fee. This is the number to trust.',
  Degen: 'Short for degenerate: a player who takes every risk. Here, it is a compliment.',
  'Diamond hands':
    'A player with diamond hands never sells, out of conviction. From the outside, it looks exactly like a forgotten password.',
  DYOR: 'Do your own research. People say this when they have not.',
  Fair: 'A separate market with its own money, tokens, ranking and end.',
  FOMO: 'Fear of missing out. It is the most expensive feeling there is.',
  Lamport: 'The smallest unit of SOL: 0.000000001 SOL. We count every lamport.',
  League: 'A week of points in a group of twenty. Five rise, five fall, nobody gets paid.',
  'Limit order': 'An order that waits for your price or a better one.',
  Liquidity: 'The real SOL in a pool, which is all that sellers together can get.',
  'Market cap':
    'Price times supply. This would be the value of all tokens if everyone could sell at the last price. They cannot.',
  Moon: 'The place to which every price is said to be going. Ours is made of paper.',
  'Net worth':
    'The SOL that you could take out right now: your balance, the SOL in the pools of your own tokens, and the cash-out value of your other tokens.',
  PnL: 'Profit and loss. Realized PnL comes from sales and is in your pocket. Unrealized PnL is the cash-out value minus the cost. Until you sell, it is in your imagination.',
  Pool: 'The SOL and tokens of one token. Every trade exchanges one for the other with the pool.',
  'Price impact': 'The change of the price that your own order causes.',
  Rank: 'Your position on a leaderboard or in a fair. Ranks are temporary, like everything.',
  Room: 'A private fair. Anyone with its link can join.',
  'Rug pull': 'The creator takes the liquidity and closes the token. The token stays at price zero, as a souvenir.',
  Score: 'The number that ranks you in a fair: your SOL plus your share of each pool.',
  Seal: 'A creator’s promise not to pull the rug before a certain time. The code makes sure that the creator keeps it.',
  Slippage: 'The difference between the price that you saw and the price that you got.',
  Stake: 'The SOL that each player starts a fair with.',
  Stop: 'An order that sells when the price falls to a price that you choose.',
  Sticker: 'A picture in your album for a first, a feat or a disaster. Stickers have no value whatsoever.',
  Tape: 'The moving line of the newest trades on the home page. “Today’s tape” is the daily game.',
  Ticker: 'A token’s short name of at most 10 characters. Tickers are always shouting.',
  Value: 'Amount times the last price. The market says this number, but would not pay it.',
}

export function Glossary() {
  return (
    <dl className="columns">
      {Object.entries(TERMS).map(([term, meaning]) => (
        <div key={term}>
          <dt className="ink bold">{term}</dt>
          <dd className="mt-xs dim">{meaning}</dd>
        </div>
      ))}
    </dl>
  )
}
