import { Link } from '@tanstack/react-router'
import { ShortcutsControl } from '../shortcuts/shortcuts-control.tsx'
import classes from './footer.module.css'

export function Footer() {
  return (
    <footer className={classes.footer}>
      <p className={classes.text}>It’s only a paper moon: play money, no blockchain, nothing to win but the rewards.</p>
      <Link to="/proof" className={`${classes.keys} ${classes.books}`}>
        Check our books
      </Link>
      <Link to="/developers" className={`${classes.keys} ${classes.books}`}>
        Developers
      </Link>
      <ShortcutsControl />
    </footer>
  )
}
