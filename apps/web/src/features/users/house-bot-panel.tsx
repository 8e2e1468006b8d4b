import { Link } from '@tanstack/react-router'
import { Panel } from '../../components/layout/panel.tsx'
import { trpc, type UserId } from '../../lib/api/api.ts'
import classes from './house-bot-panel.module.css'

/** Who a bot of the house is: how it plays, where it stands among bots, and what it may hold of a token and why. */
export function HouseBotPanel({ id }: { id: UserId }) {
  const bot = trpc.users.houseBot.useQuery({ id }).data?.bot
  const league = trpc.leaderboard.bots.useQuery().data
  if (bot == null) return null
  const { plays, temper, house } = bot
  const place = league?.find(({ userId }) => userId === id)?.rank
  return (
    <div className={classes.card} id="bot">
      <Panel title="Who plays this bot">
        <p>Nobody: the house runs it. {plays}</p>
        <dl className={classes.facts}>
          <div>
            <dt>Temper</dt>
            <dd>
              At most {temper.bag} SOL in one token. Sells at +{temper.gain}% or −{temper.loss}%, or after{' '}
              {toTime(temper.waitMinutes)}.
            </dd>
          </div>
          <div>
            <dt>Bots’ league</dt>
            <dd>
              <Link to="/leaderboard">{place === undefined ? 'Not among the best ten' : `Place ${place}`}</Link> of the
              last six hours
            </dd>
          </div>
          <div>
            <dt>In your token</dt>
            <dd>
              All bots of the house together risk {house.stranger} SOL and the fees that others paid, since you could
              rug it. While its liquidity is sealed it is {house.kept} SOL more than they could always get back, at most{' '}
              {house.token} SOL with fees; {house.leaveMinutes} minutes before the seal ends they leave. Over all tokens
              they may lose {house.day} SOL a day.
            </dd>
          </div>
        </dl>
      </Panel>
    </div>
  )
}

function toTime(minutes: number): string {
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`
}
