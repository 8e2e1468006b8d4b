import type { ReactNode } from 'react'
import classes from './chapter-page.module.css'

interface ChapterPageProps {
  readonly title: string
  readonly lead: string
  readonly chapters: readonly { readonly id: string; readonly title: string; readonly content: ReactNode }[]
  /** A link to another page. The table of contents lists this link after the chapters. */
  readonly reference?: { readonly href: string; readonly title: string }
  /** Whether to make the table of contents narrower, which leaves more space for code. */
  readonly wide?: boolean
  readonly children?: ReactNode
}

/** A long text in chapters. A table of contents links to each chapter. */
export function ChapterPage({ title, lead, chapters, reference, wide = false, children }: ChapterPageProps) {
  return (
    <div className={`grid mt-m gap-xl centered ${classes.page}`} data-wide={wide || undefined}>
      <nav className={`stack sticky ${classes.contents}`} aria-label="Chapters">
        {chapters.map((chapter) => (
          <a
            key={chapter.id}
            href={`#${chapter.id}`}
            className={`p-s-m dim semibold bare hover-accent ${classes.jump}`}
          >
            {chapter.title}
          </a>
        ))}
        {reference && (
          <a
            href={reference.href}
            className={`p-s-m dim semibold bare hover-accent ${classes.jump} ${classes.reference}`}
          >
            {reference.title}
          </a>
        )}
      </nav>
      <article className={`fit text-m ${classes.article}`}>
        <h1 className="text-3xl solid">{title}</h1>
        <p className="text-xl pretty">{lead}</p>
        {chapters.map((chapter) => (
          <section key={chapter.id} aria-labelledby={chapter.id} className={classes.chapter}>
            <h2 id={chapter.id} className={`mb-m accent text-2xl ${classes.heading}`}>
              {chapter.title}
            </h2>
            {chapter.content}
          </section>
        ))}
        {children}
      </article>
    </div>
  )
}
