export function FairPlay() {
  return (
    <>
      <p>
        The leaderboard shows the top 3 winners by total profit and loss over the last 6 hours. Profit is counted the
        honest way: what your tokens would fetch if you sold them all right now, not what the last price pretends they
        are worth. Buying your own token until the chart looks heroic does not help. Many have tried.
      </p>
      <p>
        Winners are promised giveaway rewards, sent to the wallet address they registered with. That address is the only
        thing here that touches the real world, so check it twice and never type a seed phrase anywhere on this site. We
        do not need it. Nobody ever does.
      </p>
      <p>
        Your portfolio keeps score of what you hold, what it cost and what it is worth. Went broke? It happens to the
        best. A broke account may be reset to get back to 100 SOL. The shame is not reset.
      </p>
    </>
  )
}
