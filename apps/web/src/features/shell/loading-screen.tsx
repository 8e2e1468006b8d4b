import { Moon } from '../../components/layout/moon.tsx'
import classes from './loading-screen.module.css'

/** Shown until the app knows who is signed in. */
export function LoadingScreen() {
  return (
    <div className={classes.screen} role="status">
      <Moon className={classes.moon} />
      <p className={classes.text}>Loading...</p>
    </div>
  )
}
