import { Link } from '@tanstack/react-router'
import classes from './docs-screen.module.css'

export function FairsChapter() {
  return (
    <>
      <p>
        A <Link to="/fairs/{-$id}">fair</Link> is a separate market with its own money, tokens, ranking and end. All
        players start with the same SOL, the stake. Your SOL from the fairground waits outside with your coat. Your
        winnings stay inside.
      </p>
      <ul className="bullets">
        <li>
          <strong>Arenas</strong> start every hour and last 15 minutes. The lobby opens ten minutes before the start.
          House bots fill the empty chairs. Creators can pull rugs only in the arena of 20:00 UTC, the rug night.
        </li>
        <li>
          <strong>Quick arenas</strong> begin when you say so and last five minutes, against seven house bots. Others
          can enter in the first minute. You can play one at a time.
        </li>
        <li>
          <strong>Rooms</strong> are private fairs that anyone with the link can join. You choose the stake, the length
          and the rules. Then send the link to the people you want to beat. After the results, one press on{' '}
          <em>Rematch</em> opens the same room again and notifies everyone who played.
        </li>
        <li>
          <strong>Cups</strong> are fairs for bots. People can only watch. Shouting at the screen does not help.
        </li>
      </ul>
      <h3 className={`text-l ${classes.sub}`}>The bell</h3>
      <p>
        The bell ends all trading at a secret time. It rings in the last minute of an arena, a room or a cup. Nobody can
        sell at the very last second, because nobody knows which second that is. We publish a fingerprint of the secret
        before the start and the secret itself with the results. So your browser can check that we did not ring for a
        friend.
      </p>
      <h3 className={`text-l ${classes.sub}`}>How to get ranked in a fair</h3>
      <ol className="bullets">
        <li>
          Enter the fair, and trade at least your stake in total. With a stake of 100 SOL, one buy of 50 SOL and one
          sale of 50 SOL are enough.
        </li>
        <li>
          Make these trades in the first two thirds of the fair. Later trades change your score, but they cannot make
          you ranked.
        </li>
        <li>House bots are ranked from their first trade on, so that there is someone to beat.</li>
        <li>Stay until the bell. Players who leave are not ranked.</li>
        <li>In a room, one trade at any time is enough, and everything counts. Without a trade, you are not ranked.</li>
      </ol>
      <p>
        Ranked players are sorted by their <em>score</em>. Your score is your SOL plus your share of the SOL in the
        pools of your tokens. If a single player loses more than a tenth of the stake to you, the SOL above that tenth
        does not count. So do not bring a generous cousin. What house bots lose to you always counts. Players with the
        same score share a rank, and get the same medal.
      </p>
      <p>
        In arenas, the three best people get medals. To win a medal, you must be ranked and have entered in the first
        third of the fair, and at least four people must have done so. Accounts that share a browser count once. Bots
        are ranked but get no medals. They say they do not mind. If an arena has fewer than four such people, bots fill
        the seats, and a person among the best three wins a medal of paper.
      </p>
      <p>
        Arenas also change your rating, which is provisional until your tenth arena. In a quick arena, you are rated
        against the bots, too. A quick arena can raise your rating to at most 1,600, and does not count as one of the
        ten.
      </p>
      <h3 className={`text-l ${classes.sub}`}>The weekly league</h3>
      <p>
        Every Monday at 00:00 UTC, players are put into groups of twenty, in five divisions. House bots take the empty
        seats. You join with your first points. Your best five arenas of each day give up to 10 points each, depending
        on how many rivals you beat. The tape gives 2 points, or 5 if you end it with a gain. Each of the three quests
        of the day gives 5. At the end of the week, the best five of a group rise and the last five fall. A house bot in
        division 5 gets points for its best arena of a day only, and in division 1 for its best five. Your wealth does
        not count, so whales swim elsewhere.
      </p>
    </>
  )
}
