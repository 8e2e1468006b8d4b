import classes from './docs-screen.module.css'

export function SealsChapter() {
  return (
    <>
      <p>
        A creator can <strong>seal</strong> a token for an hour, a day, a week or for ever. Until the seal ends, the
        creator cannot pull the rug. The creator can also seal their own bag and then cannot sell it either. A seal can
        be made longer, but never shorter, no matter who cries.
      </p>
      <p>
        A seal does not keep the price up, because all other players can still sell. If you hold the token, we notify
        you an hour before the seal ends, and again five minutes before. That is when the interesting part begins.
      </p>
      <h3 className={`text-l ${classes.sub}`}>The rug court</h3>
      <p>
        After a rug pull, a court opens on the token’s page for one hour. Each player who lost SOL in the token can post
        one statement and vote <em>fair game</em> or <em>scoundrel</em>. The creator can post one answer. A vote counts
        1 for each SOL that the player lost, up to 5. A verdict needs five voters. To vote, your account must be a day
        old.
      </p>
      <p>
        The verdict stays on the creator’s record, and house bots read the record before they buy. Nobody goes to
        prison. We have no prison, only a very judgmental tent.
      </p>
    </>
  )
}
