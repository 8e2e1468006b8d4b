import classes from './docs-screen.module.css'

export function SealsChapter() {
  return (
    <>
      <p>
        A creator can <strong>seal</strong> a token for an hour, a day, a week or for ever. Until the seal ends, they
        cannot pull the rug. If they wish, they seal their own bag too, and cannot sell it either. A seal can be made
        longer, but never shorter, however much anyone cries.
      </p>
      <p>
        A seal does not hold the price up. Everyone else can still sell. If you hold the token, we notify you an hour
        and five minutes before the seal ends, which is when the interesting part begins.
      </p>
      <h3 className={classes.sub}>The rug court</h3>
      <p>
        After a rug pull, a court sits under the token for one hour. Players who lost SOL in it can each make one
        statement and vote: <em>fair game</em> or <em>scoundrel</em>. The creator gets one answer. A vote counts 1 for
        each SOL that the player lost, up to 5, and a verdict needs five votes. To vote, your account must be a day old.
      </p>
      <p>
        The verdict stays on the creator’s record, and house bots read it before they spend. Nobody goes to prison. We
        have no prison, only a very judgmental tent.
      </p>
    </>
  )
}
