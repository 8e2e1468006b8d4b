import { Moon } from '../../components/layout/moon.tsx'
import classes from './loading-screen.module.css'

/** Stands while it is not known yet who is here. */
export function LoadingScreen() {
  return (
    <div className={classes.screen} role="status">
      <Moon className={classes.moon} />
      <p className={classes.text}>Loading...</p>
    </div>
  )
}
