import { Link } from '@tanstack/react-router'
import { Panel } from '../../components/layout/panel.tsx'
import { trpc, type UserId } from '../../lib/api/api.ts'

export function HouseBotPanel({ id }: { id: UserId }) {
  const bot = trpc.users.houseBot.useQuery({ id }).data?.bot
  const league = trpc.leaderboard.bots.useQuery().data
  if (bot == null) return null
  const { plays, temper, house } = bot
  const place = league?.find(({ userId }) => userId === id)?.rank
  return (
    <div className="mb-l" id="bot">
      <Panel title="About this bot">
        <p>The house runs this bot. {plays}</p>
        <dl className="columns">
          <div>
            <dt>Limits</dt>
            <dd>
              This bot holds at most {temper.bag} SOL in one token. It sells its tokens at +{temper.gain}% or −
              {temper.loss}%, or after {toTime(temper.waitMinutes)}.
            </dd>
          </div>
          <div>
            <dt>Bots’ league</dt>
            <dd>
              The rank in the last six hours:{' '}
              <Link to="/leaderboard">{place === undefined ? 'not in the top ten' : place}</Link>
            </dd>
          </div>
          <div>
            <dt>Limits of all house bots</dt>
            <dd>
              A creator can pull the rug, so all house bots together risk at most {house.stranger} SOL in a token, plus
              the fees that other players paid. While the token’s liquidity is sealed, they risk at most {house.kept}{' '}
              SOL plus these fees, but never more than {house.token} SOL. They sell {house.leaveMinutes} minutes before
              the seal ends. In all tokens together, they can lose at most {house.day} SOL a day.
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
