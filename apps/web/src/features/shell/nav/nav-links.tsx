import { Link } from '@tanstack/react-router'
import { trpc } from '../../../lib/api/api.ts'
import classes from './nav-bar.module.css'
import { NAV_PLACES } from './nav-places.ts'

/** The navigation's links. The operator configures the community's address. */
export function NavLinks() {
  const settings = trpc.site.settings.useQuery()
  return (
    <>
      {NAV_PLACES.map(({ to, name }) => (
        <Link key={to} to={to} className={classes.link} activeOptions={{ exact: to === '/' }}>
          {name}
        </Link>
      ))}
      <a
        className={classes.link}
        // Reserves the space until the address is known.
        hidden={settings.data === undefined}
        href={settings.data?.communityUrl}
        target="_blank"
        rel="noopener noreferrer"
      >
        Community
        <span aria-hidden="true" className={classes.outside}>
          ↗
        </span>
        <span className="visually-hidden"> (opens in a new tab)</span>
      </a>
    </>
  )
}
