import { formatSol } from '@papermoon/format'
import { Link, Navigate, useLocation, useSearch } from '@tanstack/react-router'
import { LoginRequired } from '../../components/feedback/login-required.tsx'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { Confirmation } from '../../components/form/confirmation.tsx'
import tabs from '../../components/form/segmented.module.css'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { Themed } from '../../components/layout/themed.tsx'
import { type CurrentUser, cache, trpc } from '../../lib/api/api.ts'
import { setBalance, useCurrentUser } from '../../lib/api/current-user.ts'
import { getSentence, NO_RESPONSE } from '../../lib/api/failure.ts'
import { showToast } from '../../lib/ui/toasts.ts'
import { Appearance } from './appearance.tsx'
import { NotificationsPanel } from './notifications/notifications.tsx'
import { PlayerPass } from './pass/player-pass.tsx'
import { findByAnchor, SECTIONS, type Section } from './sections.ts'
import { AccountPanel } from './security/account/account-panel.tsx'
import { AuthenticatorPanel } from './security/factors/authenticator-panel.tsx'
import { PasskeysPanel } from './security/factors/passkeys-panel.tsx'
import { Activity } from './security/records/activity.tsx'
import { SessionsPanel } from './security/records/sessions-panel.tsx'
import { YourData } from './security/records/your-data.tsx'
import classes from './settings-screen.module.css'
import { SoundAndMotion } from './sound-and-motion.tsx'
import { TalkSettings } from './talk-settings.tsx'

export function SettingsScreen() {
  const user = useCurrentUser()
  const { section } = useSearch({ from: '/settings' })
  const anchor = useLocation({ select: ({ hash }) => hash })
  const linked = section === undefined ? findByAnchor(anchor) : undefined
  if (user === null) return <LoginRequired>Please login to access settings.</LoginRequired>
  if (linked !== undefined) {
    return <Navigate to="/settings" search={{ section: linked }} hash={anchor} replace />
  }
  return (
    <div className={`top grid gap-x-l mx-auto ${classes.page}`} data-section={section}>
      <div className="all-cols">
        <PageHead title="Settings" lead="Customize your profile">
          <SectionTabs />
        </PageHead>
      </div>
      <PlayerPass user={user} className={classes.pass} />
      <Themed>
        <div className="stack gap-l">
          <Panels section={section ?? 'account'} user={user} />
        </div>
      </Themed>
      <Confirmation />
    </div>
  )
}

function SectionTabs() {
  return (
    <nav className={`round-s on-sunken p-xs gap-xs ${tabs.group}`} aria-label="Sections">
      {Object.entries(SECTIONS).map(([section, title]) => (
        <Link
          key={section}
          to="/settings"
          search={section === 'account' ? {} : { section: section as Section }}
          className={`small px-m round-s bold nowrap hover-ink inline-row bare centered ${tabs.option}`}
          activeOptions={{ exact: true }}
          resetScroll={false}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}

function Panels({ section, user }: { section: Section; user: CurrentUser }) {
  switch (section) {
    case 'account':
      return (
        <>
          <TalkSettings />
          <MoreSol />
          <Programs />
          <YourData user={user} />
        </>
      )
    case 'security':
      return (
        <>
          <AccountPanel user={user} />
          <PasskeysPanel />
          <AuthenticatorPanel />
          <SessionsPanel />
          <Activity />
        </>
      )
    case 'notifications':
      return <NotificationsPanel />
    case 'display':
      return (
        <>
          <Appearance />
          <SoundAndMotion />
        </>
      )
  }
}

function Programs() {
  return (
    <Panel title="Programs and bots">
      <p className="dim pretty">
        API keys, webhooks and the declaration that a bot plays with this account are on the developers page.
      </p>
      <div>
        <ButtonLink to="/developers" look="quiet">
          Open the developers page
        </ButtonLink>
      </div>
    </Panel>
  )
}

/** Lets players who have lost nearly everything reset the account. */
function MoreSol() {
  const reset = trpc.account.reset.useMutation({
    onSuccess: ({ granted, balance }) => {
      setBalance(null, balance)
      void cache.portfolio.invalidate()
      showToast({ title: 'Account reset!', message: `You've received ${formatSol(granted, 2)} SOL. Good luck.` })
    },
    meta: { failure: 'Could not reset the account' },
  })
  return (
    <Panel title="Reset your account">
      <p className="dim pretty">
        If your net worth is below 10 SOL, you can reset your account once a day. You keep your holdings, and we top up
        your balance so that your net worth is 100 SOL. Your net worth is your balance, all the SOL in the open pools of
        tokens that you launched, and what you would get for selling your other tokens now.
      </p>
      <div className="row gap-wide wrap">
        <Button look="quiet" onClick={() => reset.mutate()} disabled={reset.isPending}>
          {reset.isPending ? 'Resetting...' : 'Reset account'}
        </Button>
        {reset.isError && <p className="grow-wrap semibold">{getSentence(reset.error) ?? NO_RESPONSE}</p>}
      </div>
    </Panel>
  )
}
