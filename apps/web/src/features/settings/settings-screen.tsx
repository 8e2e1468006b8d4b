import { LoginRequired } from '../../components/feedback/login-required.tsx'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Themed } from '../../components/layout/themed.tsx'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { ApiKeys } from './api-keys/api-keys.tsx'
import { Appearance } from './appearance.tsx'
import { BotPanel } from './bot-panel.tsx'
import { MoreSol } from './more-sol.tsx'
import { NotificationsPanel } from './notifications/notifications.tsx'
import { PlayerPass } from './pass/player-pass.tsx'
import { AccountPanel } from './security/account/account-panel.tsx'
import { AuthenticatorPanel } from './security/factors/authenticator-panel.tsx'
import { PasskeysPanel } from './security/factors/passkeys-panel.tsx'
import { Activity } from './security/records/activity.tsx'
import { SessionsPanel } from './security/records/sessions-panel.tsx'
import { YourData } from './security/records/your-data.tsx'
import { SecuritySection } from './security/security-section.tsx'
import classes from './settings-screen.module.css'
import { SoundAndMotion } from './sound-and-motion.tsx'
import { WebhooksSlot } from './webhooks-slot.tsx'

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
      <div className={classes.panels}>
        <Appearance />
        <SoundAndMotion />
        <MoreSol />
        <NotificationsPanel />
        <BotPanel user={user} />
        <Themed>
          <SecuritySection>
            <AccountPanel user={user} />
            <PasskeysPanel />
            <AuthenticatorPanel />
            <SessionsPanel />
            <ApiKeys />
            <WebhooksSlot />
            <Activity />
            <YourData user={user} />
          </SecuritySection>
        </Themed>
      </div>
    </div>
  )
}
