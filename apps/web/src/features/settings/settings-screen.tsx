import { ButtonLink } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { useCurrentUser } from '../../lib/current-user.ts'
import { useTitle } from '../../lib/use-title.ts'
import { Appearance } from './appearance.tsx'
import { PlayerPass } from './player-pass.tsx'
import classes from './settings-screen.module.css'

/** What a player may change about themselves and about the look of the fair. */
export function SettingsScreen() {
  const user = useCurrentUser()
  useTitle('Settings')
  if (user === null) return <LoginRequired />
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <h1 className={classes.title}>Settings</h1>
        <p className={classes.lead}>Customize your profile</p>
      </header>
      <PlayerPass user={user} />
      <div className={classes.panels}>
        <Appearance />
      </div>
    </div>
  )
}

function LoginRequired() {
  return (
    <Notice level={1} emoji="🎟️" title="Login Required" action={<ButtonLink to="/auth">Login / Register</ButtonLink>}>
      Please login to access settings.
    </Notice>
  )
}
