import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import tabs from '../../components/form/segmented.module.css'
import { PageHead } from '../../components/layout/page-head.tsx'

interface YouHeadProps {
  readonly title: 'Dashboard' | 'Portfolio'
  readonly lead: string
  readonly children?: ReactNode
}

export function YouHead({ title, lead, children }: YouHeadProps) {
  return (
    <PageHead title={title} lead={lead}>
      <nav className={`round-s on-sunken p-xs gap-xs ${tabs.group}`} aria-label="Your pages">
        {(['/dashboard', '/portfolio'] as const).map((to) => (
          <Link
            key={to}
            className={`small px-m round-s bold nowrap hover-ink inline-row bare centered ${tabs.option}`}
            to={to}
          >
            {to === '/dashboard' ? 'Dashboard' : 'Portfolio'}
          </Link>
        ))}
      </nav>
      {children}
    </PageHead>
  )
}
