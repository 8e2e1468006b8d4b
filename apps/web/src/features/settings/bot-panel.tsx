import { Panel } from '../../components/layout/panel.tsx'
import { type CurrentUser, cache, trpc } from '../../lib/api/api.ts'
import { getSentence } from '../../lib/api/failure.ts'
import { showFailure } from '../../lib/ui/toasts.ts'
import { Option, Options } from './api-keys/option.tsx'
import classes from './more-sol.module.css'

/** Declares the account as a bot. */
export function BotPanel({ user }: { user: CurrentUser }) {
  const declare = trpc.account.declareBot.useMutation({
    onSuccess: ({ isBot }) => {
      cache.auth.me.setData(undefined, (me) => (me ? { ...me, isBot } : me))
      // The mark stands beside the name everywhere.
      for (const names of [cache.users, cache.tokens, cache.leaderboard, cache.account]) void names.invalidate()
    },
    onError: (error) => showFailure('Not Saved', getSentence(error), 'Failed to change who plays'),
  })
  return (
    <Panel title="Person or program">
      <p className={classes.text}>
        Programs are welcome, as long as they say so. A mark stands beside a bot’s name everywhere. Bots have a league
        of their own: they are never among the Top 3, win no giveaway, and do not count as buyers of rising tokens. You
        can switch back, but whoever was a bot at any moment of a giveaway’s six hours cannot win it.
      </p>
      <Options legend="Who plays">
        <Option
          type="checkbox"
          title="This account is a bot"
          note="A program trades with it, by an API key or otherwise"
          isOn={declare.isPending ? declare.variables.isBot : user.isBot}
          isDisabled={declare.isPending}
          onChange={(isBot) => declare.mutate({ isBot })}
        />
      </Options>
    </Panel>
  )
}
