import { formatSol } from '@papermoon/format'
import { LoginRequired } from '../../components/feedback/login-required.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Button } from '../../components/form/button.tsx'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { Themed } from '../../components/layout/themed.tsx'
import { type CurrentUser, cache, trpc } from '../../lib/api/api.ts'
import { setBalance, useCurrentUser } from '../../lib/api/current-user.ts'
import { getSentence, NO_RESPONSE } from '../../lib/api/failure.ts'
import { lazyPart } from '../../lib/boot/lazy-import.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { showFailure, showToast } from '../../lib/ui/toasts.ts'
import { ApiKeys } from './api-keys/api-keys.tsx'
import { Option, Options } from './api-keys/option.tsx'
import { Appearance } from './appearance.tsx'
import { NotificationsPanel } from './notifications/notifications.tsx'
import { PlayerPass } from './pass/player-pass.tsx'
import { AccountPanel } from './security/account/account-panel.tsx'
import { AuthenticatorPanel } from './security/factors/authenticator-panel.tsx'
import { PasskeysPanel } from './security/factors/passkeys-panel.tsx'
import { Activity } from './security/records/activity.tsx'
import { SessionsPanel } from './security/records/sessions-panel.tsx'
import { YourData } from './security/records/your-data.tsx'
import classes from './settings-screen.module.css'
import { SoundAndMotion } from './sound-and-motion.tsx'
import { TalkSettings } from './talk-settings.tsx'

/** The settings: profile, appearance, security, API keys. */
export function SettingsScreen() {
  const user = useCurrentUser()
  useTitle('Settings')
  if (user === null) return <LoginRequired>Please login to access settings.</LoginRequired>
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <PageHead title="Settings" lead="Customize your profile" />
      </div>
      <PlayerPass user={user} />
      <div className="stack gap-l">
        <Appearance />
        <SoundAndMotion />
        <MoreSol />
        <NotificationsPanel />
        <TalkSettings />
        <BotPanel user={user} />
        <Themed>
          <section id="security" className="stack gap-l" aria-labelledby="security-title">
            <h2 id="security-title" className={`text-2xl tight ${classes.title}`}>
              Security
            </h2>
            <AccountPanel user={user} />
            <PasskeysPanel />
            <AuthenticatorPanel />
            <SessionsPanel />
            <ApiKeys />
            <Webhooks />
            <Activity />
            <YourData user={user} />
          </section>
        </Themed>
      </div>
    </div>
  )
}

/** Declares the account as a bot. */
function BotPanel({ user }: { user: CurrentUser }) {
  const declare = trpc.account.declareBot.useMutation({
    onSuccess: ({ isBot }) => {
      cache.auth.me.setData(undefined, (me) => (me ? { ...me, isBot } : me))
      // The bot label is next to the name everywhere.
      for (const names of [cache.users, cache.tokens, cache.leaderboard, cache.account]) void names.invalidate()
    },
    onError: (error) => showFailure('Could not save the setting', error),
  })
  return (
    <Panel title="Human or bot">
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

/** Resets the account of a player who lost nearly everything. */
function MoreSol() {
  const reset = trpc.account.reset.useMutation({
    onSuccess: ({ granted, balance }) => {
      setBalance(null, balance)
      void cache.portfolio.invalidate()
      showToast({ title: 'Account reset!', message: `You've received ${formatSol(granted, 2)} SOL. Good luck.` })
    },
    onError: (error) => showFailure('Could not reset the account', error),
  })
  return (
    <Panel title="Reset your account">
      <p className="dim pretty">
        If your net worth is below 10 SOL, you can reset your account once a day. You keep your holdings, and we top up
        your balance so that your net worth is 100 SOL. Your net worth is your balance, all the SOL in the open pools of
        tokens that you launched, and what you would get for selling your other tokens now.
      </p>
      <div className="row gap-wide wrap">
        <Button onClick={() => reset.mutate()} disabled={reset.isPending}>
          {reset.isPending ? 'Resetting...' : 'Reset account'}
        </Button>
        {reset.isError && <p className={classes.refusal}>{getSentence(reset.error) ?? NO_RESPONSE}</p>}
      </div>
    </Panel>
  )
}

/** The player's webhooks, loaded separately from the rest of the settings. */
const Webhooks = lazyPart(
  () => import('./webhooks/webhooks.tsx'),
  'Webhooks',
  <Panel title="Webhooks" level={3} className={classes.loading}>
    <Skeleton width={260} height={20} />
  </Panel>,
)
