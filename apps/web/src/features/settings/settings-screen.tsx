import { LoginRequired } from '../../components/login-required.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Themed } from '../../components/themed.tsx'
import { useCurrentUser } from '../../lib/current-user.ts'
import { useTitle } from '../../lib/use-title.ts'
import { ApiKeys } from './api-keys.tsx'
import { Appearance } from './appearance.tsx'
import { MoreSol } from './more-sol.tsx'
import { PlayerPass } from './player-pass.tsx'
import { AccountPanel } from './security/account-panel.tsx'
import { Activity } from './security/activity.tsx'
import { AuthenticatorPanel } from './security/authenticator-panel.tsx'
import { PasskeysPanel } from './security/passkeys-panel.tsx'
import { SecuritySection } from './security/security-section.tsx'
import { SessionsPanel } from './security/sessions-panel.tsx'
import { YourData } from './security/your-data.tsx'
import classes from './settings-screen.module.css'

/** What a player may change about themselves and about the look of the fair. */
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
        <MoreSol />
        <Themed>
          <SecuritySection>
            <AccountPanel user={user} />
            <PasskeysPanel />
            <AuthenticatorPanel />
            <SessionsPanel />
            <ApiKeys />
            <Activity />
            <YourData user={user} />
          </SecuritySection>
        </Themed>
      </div>
    </div>
  )
}
