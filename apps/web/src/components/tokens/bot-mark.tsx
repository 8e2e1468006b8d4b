import classes from './bot-mark.module.css'

/** Stands beside the name of a bot. */
export function BotMark() {
  return (
    <span className={classes.mark} title="Not a person: a program plays this account">
      bot
    </span>
  )
}
