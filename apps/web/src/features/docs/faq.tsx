import classes from './docs-screen.module.css'

const QUESTIONS = {
  'Is this real money?':
    'No. Not the SOL, not the tokens, not the $6,000 market cap of the token named after your cat.',
  'Is it on a blockchain?':
    'No. It runs on a computer, in a database, like nearly everything you use. It is faster that way.',
  'Why do you ask for a wallet address, then?':
    'To send giveaway rewards to winners. It is never charged, connected or asked to sign anything.',
  'I bought, and the price went up. Why am I not richer?':
    'Because it was you who moved it. Sell everything and it moves back, less the fee twice. The cash-out value tells the truth; the last price is only a rumour.',
  'My tokens are worth more than I paid. Why does my profit say otherwise?':
    'Value is what the market says: amount times the last price. Profit is what you could have: what selling everything now would pay, after the fee, less what it cost. So nobody gets rich by buying their own token, and nobody looks it.',
  'What is my net worth?':
    'What you could take out right now: your balance, all the SOL in the open pools of tokens you launched (you might rug them; we are not judging), and what selling your other tokens would pay. A bag of your own token is paid from your own pool, so it is in there already. Your 24h P/L is what your net worth rose by in a day, and SOL you were given does not count.',
  'Can I lose more than I have?':
    'No. There is no credit and no leverage. You can only lose everything, which is quite enough.',
  'What does the 0.3% fee pay for?':
    'It keeps people from trading in circles for free. The fee goes to the treasury, which so far has bought nothing but a very nice imaginary chair.',
  'How do I get another 100 SOL?':
    'Lose nearly everything first. With a net worth under 10 SOL you can reset your account in the settings, once a day: your holdings stay, and your balance is topped up until your net worth is 100 SOL. Until then: sell something, win something, or launch something.',
  'My trade failed with a message about slippage.':
    'The price moved between your look and your click, past the limit you set. Nothing was charged. Look again, or raise the limit.',
  'I pressed Buy twice. Did I buy twice?':
    'No. While an order is on its way, the button does nothing. If the answer gets lost, press again without changing the amount: that repeats the same order, and the same order never goes through twice.',
  'It says Offline.':
    'The live connection is lost; it tries again every 3 seconds and then catches up by itself. Figures may be old until it says Live.',
}

export function Faq() {
  return (
    <div>
      {Object.entries(QUESTIONS).map(([question, answer]) => (
        <details key={question} className={classes.question}>
          <summary>{question}</summary>
          <p>{answer}</p>
        </details>
      ))}
    </div>
  )
}
