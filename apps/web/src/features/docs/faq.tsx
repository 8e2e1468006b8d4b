const QUESTIONS = {
  'Is this real money?':
    'No. Not the SOL, not the tokens, not the $6,000 market cap of the token that you named after your cat.',
  'Is it on a blockchain?':
    'No. Papermoon runs on a computer with a database, like nearly everything you use. It is faster that way.',
  'Why do you ask for a wallet address, then?':
    'We send giveaway rewards to the wallets of winners. We never charge a wallet, connect to it or ask it to sign anything.',
  'I bought, and the price went up. Why am I not richer?':
    'Your own order moved the price. If you sell everything, the price moves back, and you have paid the fee twice. The cash-out value tells you what you would really get. The last price is only a rumour.',
  'My tokens are worth more than I paid. Why does my profit say otherwise?':
    'The value is the amount times the last price. The profit is what selling everything now would pay, after the fee, minus what the tokens cost you. So nobody gets rich by buying their own token, and nobody looks rich either.',
  'What is my net worth?':
    'Your net worth is the SOL that you could take out right now. It is your balance, plus the SOL in the open pools of tokens that you launched, plus what selling your other tokens would pay. (You might pull those rugs. We are not judging.) Your 24h P/L is the change of your net worth in a day, without SOL that you were given.',
  'Can I lose more than I have?':
    'No. There is no credit and no leverage. You can only lose everything, which is quite enough.',
  'What does the 0.3% fee pay for?':
    'The fee goes to the treasury. Without a fee, people could trade in circles for free. So far, the treasury has bought nothing but a very nice imaginary chair.',
  'How do I get another 100 SOL?':
    'Lose nearly everything first. If your net worth is under 10 SOL, you can reset your account in the settings, once a day. You keep your holdings, and we top up your balance until your net worth is 100 SOL.',
  'My trade failed with a message about slippage.':
    'The price moved past the limit that you set before your order arrived. You were not charged. Check the new price, or raise the limit.',
  'I pressed Buy twice. Did I buy twice?':
    'No. While an order is running, the button does nothing. If you get no response, press the button again without changing the amount. That repeats the same order, and the same order never goes through twice.',
  'The navigation bar says Offline. What now?':
    'Your live connection is lost. The page tries to reconnect every 3 seconds and then catches up. Figures may be old until the bar says Live.',
}

export function Faq() {
  return (
    <div>
      {Object.entries(QUESTIONS).map(([question, answer]) => (
        <details key={question} className="torn-bottom">
          <summary className="touch py-s bold">{question}</summary>
          <p className="mb-m dim">{answer}</p>
        </details>
      ))}
    </div>
  )
}
