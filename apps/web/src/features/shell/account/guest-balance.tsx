import classes from './balance.module.css'

/** Where a player's balance is, a guest's name and balance. */
export function GuestBalance() {
  return (
    <span className={classes.guest}>
      Guest <span className={classes.zero}>0.00 SOL</span>
    </span>
  )
}
