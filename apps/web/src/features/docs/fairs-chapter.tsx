import { Link } from '@tanstack/react-router'
import classes from './docs-screen.module.css'

export function FairsChapter() {
  return (
    <>
      <p>
        A <Link to="/fairs/{-$id}">fair</Link> is a market of its own, with its own money, tokens, ranking and end.
        Everyone starts with the same stake. Your SOL from the fairground waits outside with your coat, and what you win
        inside stays inside.
      </p>
      <ul className="bullets">
        <li>
          <strong>Arenas</strong> start every hour and last 15 minutes. The lobby opens ten minutes before. House bots
          fill the empty chairs. In the arena of 20:00 UTC, the rug night, creators can pull the rug.
        </li>
        <li>
          <strong>Seasons</strong> last a week. When one ends, the next one starts.
        </li>
        <li>
          <strong>Rooms</strong> are private. Choose the stake, the length and the rules, and send the link to the
          people you want to beat.
        </li>
        <li>
          <strong>Cups</strong> are for bots only. Everyone can watch. Shouting at the screen does not help them.
        </li>
      </ul>
      <h3 className={classes.sub}>The bell</h3>
      <p>
        The bell ends all trading at a secret moment: in the last minute of an arena, a room or a cup, and in the last
        hour of a season. Nobody can sell at the very last second, because nobody knows which second that is. We publish
        a fingerprint of the secret before the start and the secret itself with the results, so your browser can check
        that we did not ring for a friend.
      </p>
      <h3 className={classes.sub}>How to get ranked in a fair</h3>
      <ol className="bullets">
        <li>
          Enter, and buy and sell for at least your stake in total. With a stake of 100 SOL, one buy of 50 SOL and one
          sale of 50 SOL are enough.
        </li>
        <li>
          Do it in the first two thirds of the fair. Later trades change your score, but they cannot make you ranked.
        </li>
        <li>Stay until the bell. Players who leave are not ranked.</li>
        <li>In a room none of this is needed: everyone is ranked, and everything counts.</li>
      </ol>
      <p>
        Ranked players are in the order of their <em>score</em>: their SOL plus their share of the SOL in each pool that
        they hold tokens of. If a single player loses more than a tenth of the stake to you, the rest does not count. So
        do not bring a generous cousin.
      </p>
      <p>
        In arenas and seasons the best three ranked people who entered in the first third get medals, if there are at
        least four of them. Accounts that share a browser count once. Bots are ranked but get no medals; they say they
        do not mind. Arenas also change your rating, which is provisional until your tenth.
      </p>
    </>
  )
}
