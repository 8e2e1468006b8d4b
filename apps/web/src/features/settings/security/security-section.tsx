import type { ReactNode } from 'react'
import classes from './security-section.module.css'

/** The account's security panels. */
export function SecuritySection({ children }: { children: ReactNode }) {
  return (
    <section id="security" className={classes.section} aria-labelledby="security-title">
      <h2 id="security-title" className={classes.title}>
        Security
      </h2>
      {children}
    </section>
  )
}
