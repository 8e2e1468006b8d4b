import { Link } from '@tanstack/react-router'

export function PastimesChapter() {
  return (
    <>
      <p>
        <strong>
          <Link to="/tape">Today’s tape</Link>
        </strong>{' '}
        is a small daily game. You see three minutes of a real token’s past, without the token’s name and without
        numbers. All players get the same three minutes. Buy once with 1 SOL from the house and sell once. If you still
        hold at the end, your tokens are sold automatically. Then you see which token it was, the best possible result,
        and how far you were from it.
      </p>
      <p>
        Play every day to keep your streak. You can miss one day a week. Before you play, we publish a fingerprint of
        the token that we chose. So you can check that nobody picked a tape to annoy you in particular.
      </p>
      <p>
        You earn <strong>stickers</strong> for firsts, feats and disasters: your first buy, a tenfold gain, a bag held
        through −80%, a rug that you stood on. Everyone can see your sticker album on your profile. Stickers have no
        value whatsoever, which makes them the safest asset here.
      </p>
      <p>
        The <strong>tape</strong> is the moving line on the home page. It shows the newest trades of all tokens. Press a
        trade to see its token. Watching the tape makes you look professional.
      </p>
    </>
  )
}
