import type { ReactNode } from 'react'
import classes from './notice.module.css'

interface NoticeProps {
  readonly emoji: string
  readonly title: string
  readonly children?: ReactNode
  /** What to do next. */
  readonly action?: ReactNode
  readonly level?: 1 | 2 | 3 | 4
}

/** What stands where there is nothing to show: why, and the next thing to do. */
export function Notice({ emoji, title, children, action, level = 2 }: NoticeProps) {
  const Heading = `h${level}` as const
  return (
    <div className={classes.notice} data-page={level === 1}>
      <div className={classes.emoji} aria-hidden="true">
        {emoji}
      </div>
      <Heading className={classes.title}>{title}</Heading>
      {children !== undefined && <p className={classes.text}>{children}</p>}
      {action}
    </div>
  )
}
