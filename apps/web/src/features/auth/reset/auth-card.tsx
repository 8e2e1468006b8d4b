import { type ReactNode, useEffect, useRef } from 'react'
import { Moon } from '../../../components/layout/moon.tsx'
import { Themed } from '../../../components/layout/themed.tsx'
import classes from './auth-card.module.css'

interface AuthCardProps {
  readonly title: string
  readonly lead: ReactNode
  readonly children: ReactNode
}

/** A card in the middle of the page, for the password reset screens. */
export function AuthCard({ title, lead, children }: AuthCardProps) {
  return (
    <section className={classes.window} aria-labelledby="auth-card-title">
      <div className={classes.awning} aria-hidden="true" />
      <div className={`card card-big stack gap-l ${classes.card}`}>
        <h1 id="auth-card-title" className="text-2xl tight">
          {title}
        </h1>
        <p className={`dim breaks ${classes.lead}`}>{lead}</p>
        <Themed>{children}</Themed>
      </div>
    </section>
  )
}

/**
 * Shows a message instead of the card's form. The message takes the focus, because the element that had the focus was
 * removed.
 */
export function AuthCardDone({ children }: { children: string }) {
  const news = useRef<HTMLDivElement>(null)
  useEffect(() => news.current?.focus(), [])
  return (
    <div ref={news} className="stack middle gap-s py-s text-center no-outline" tabIndex={-1}>
      <Moon size={76} className="mb-s" />
      <p className="dim">{children}</p>
    </div>
  )
}
