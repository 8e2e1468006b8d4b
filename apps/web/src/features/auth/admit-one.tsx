import classes from './admit-one.module.css'

/** What a new account gets, drawn as a ticket. */
export function AdmitOne() {
  return (
    <aside className={classes.ticket} aria-label="What you get">
      <p className={classes.small}>Admit one · no refunds · no need</p>
      <p className={classes.big}>100 SOL</p>
      <p className={classes.text}>
        That is what every new player starts with. None of it is real. What you do to the leaderboard with it is.
      </p>
      <ul className={classes.list}>
        <li>Launch a token in half a minute</li>
        <li>Buy and sell against a real market maker, live</li>
        <li>Win giveaways with money that was never there</li>
      </ul>
      <p className={classes.small}>Papermoon · open all night</p>
    </aside>
  )
}
