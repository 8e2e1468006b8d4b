import { type ReactNode, type Ref, useId } from 'react'

interface PanelProps {
  readonly title: string
  /** The heading's level. Default: 2. */
  readonly level?: 2 | 3
  /** Makes the heading focusable, so it can receive the focus when the focused element disappears. */
  readonly heading?: Ref<HTMLHeadingElement>
  /** Content beside the heading. */
  readonly aside?: ReactNode
  readonly children: ReactNode
  readonly className?: string
}

/** A titled section on a paper sheet. The section is a landmark with the title as its name. */
export function Panel({ title, level = 2, heading, aside, children, className = '' }: PanelProps) {
  const id = useId()
  const Heading = `h${level}` as const
  return (
    <section className={`card stack gap-m fit ${className}`} aria-labelledby={id}>
      <div className="row baseline gap-wide wrap between">
        <Heading
          ref={heading}
          id={id}
          className="display text-xl tight"
          tabIndex={heading === undefined ? undefined : -1}
        >
          {title}
        </Heading>
        {aside}
      </div>
      {children}
    </section>
  )
}
