import classes from './docs-screen.module.css'

export function Terms() {
  return (
    <ol className={classes.list}>
      <li>Papermoon is a game. Tokens, SOL, prices and profits in it are simulated and have no value outside.</li>
      <li>Nothing here is investment advice. Some of it is barely advice.</li>
      <li>
        Nothing can be deposited and nothing can be withdrawn. If a site that looks like this one asks you for real
        money, close it.
      </li>
      <li>One player, one account. Giveaways go to people, not to their eleven cousins at the same keyboard.</li>
      <li>Names and pictures are for everyone to see. Keep them fit for a fairground with children on it.</li>
      <li>Programs may play too, through the API, by the same rules and limits as everybody else.</li>
      <li>The fair may close, move or be repainted. Balances may be reset. It was only paper.</li>
    </ol>
  )
}
