import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import tabs from '../../components/form/segmented.module.css'
import { PageHead } from '../../components/layout/page-head.tsx'

interface YouHeadProps {
  readonly title: 'Dashboard' | 'Portfolio'
  readonly lead: string
  /** More links. */
  readonly children?: ReactNode
}

const TAB = `small px-m round-s bold nowrap hover-ink ${tabs.option}`

/** The heading of a player's own pages, with links to both pages. */
export function YouHead({ title, lead, children }: YouHeadProps) {
  return (
    <PageHead title={title} lead={lead}>
      <nav className={`round-s on-sunken ${tabs.group}`} aria-label="Your pages">
        <Link className={TAB} to="/dashboard">
          Dashboard
        </Link>
        <Link className={TAB} to="/portfolio">
          Portfolio
        </Link>
      </nav>
      {children}
    </PageHead>
  )
}
