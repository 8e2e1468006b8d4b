import { Link } from '@tanstack/react-router'

export function PastimesChapter() {
  return (
    <>
      <p>
        <strong>
          <Link to="/tape">Yesterday’s tape</Link>
        </strong>{' '}
        is one small game a day. You see three minutes of a real token’s past, without its name and without numbers, the
        same for everyone. Buy once with 1 SOL and sell once; not a SOL of yours is in it. If you still hold at the end,
        it sells automatically. Then you see which token it was, the best possible result, and how far from it you were.
      </p>
      <p>
        Play every day to keep your streak. You can miss one day a week. Before you play, we publish a fingerprint of
        our choice, so you can check that nobody picked a tape to annoy you in particular.
      </p>
      <p>
        <strong>Stickers</strong> remember your firsts, your feats and your disasters: the first buy, a tenfold gain, a
        bag held through −80%, a rug that you stood on. Your album is on your profile, for all to see. Stickers have no
        value whatsoever, which makes them the safest asset here.
      </p>
    </>
  )
}
