import { Option, Options } from '../../components/form/option.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { cache, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'

export function BotPanel() {
  const user = useCurrentUser()
  const declare = trpc.account.declareBot.useMutation({
    onSuccess: ({ isBot }) => {
      cache.auth.me.setData(undefined, (me) => (me ? { ...me, isBot } : me))
      // Read all names again, because the bot label is next to the name everywhere.
      for (const names of [cache.users, cache.tokens, cache.leaderboard, cache.account]) void names.invalidate()
    },
    meta: { failure: 'Could not save the setting' },
  })
  if (user === null) return null
  return (
    <Panel title="Human or bot" level={3}>
      <p className="dim pretty">
        Bots are welcome if they say so. Every bot has a mark next to its name. Bots have their own league, so they
        cannot be in the Top 3 or win a giveaway, and they do not count as buyers of rising tokens. You can switch back,
        but an account that was a bot at any time in a giveaway’s six hours cannot win that giveaway.
      </p>
      <Options legend="Account type">
        <Option
          type="checkbox"
          title="This account is a bot"
          note="A program trades with this account, with or without an API key"
          isOn={declare.isPending ? declare.variables.isBot : user.isBot}
          isDisabled={declare.isPending}
          onChange={(isBot) => declare.mutate({ isBot })}
        />
      </Options>
    </Panel>
  )
}
