import { type ReactNode, type Ref, useId } from 'react'

interface PanelProps {
  readonly title: string
  /** Level of the heading (default: 2). */
  readonly level?: 2 | 3
  /**
   * Ref to the heading, which makes it focusable. The heading can then take the focus when the focused element
   * disappears.
   */
  readonly heading?: Ref<HTMLHeadingElement>
  /** Content beside the heading. */
  readonly aside?: ReactNode
  readonly children: ReactNode
  readonly className?: string
}

/** A section with a title, on a sheet of paper. The section is a landmark, and its title is the landmark's name. */
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
