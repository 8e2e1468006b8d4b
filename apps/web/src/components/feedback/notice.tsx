import type { ReactNode } from 'react'
import classes from './notice.module.css'

interface NoticeProps {
  readonly emoji: string
  readonly title: string
  readonly children?: ReactNode
  /** A link or button for the visitor's next step. */
  readonly action?: ReactNode
  readonly level?: 1 | 2 | 3
}

/** Shows why a list is empty or failed to load, with an optional action. */
export function Notice({ emoji, title, children, action, level = 2 }: NoticeProps) {
  const Heading = `h${level}` as const
  return (
    <div className={`stack middle gap-m text-center p-2xl ${classes.notice}`} data-page={level === 1}>
      <div className="emoji text-3xl solid" aria-hidden="true">
        {emoji}
      </div>
      <Heading className="display text-2xl">{title}</Heading>
      {children !== undefined && <p className="mb-s dim breaks prose">{children}</p>}
      {action}
    </div>
  )
}
