import type { Inline, Inlines } from '@papermoon/guide'
import { useFillIn } from './filling.ts'
import classes from './guide-block.module.css'

/** Text of the guide with its code, emphasis and links. */
export function InlineText({ text }: { text: Inlines }) {
  return text.map((part, index) => <Part key={index} part={part} />)
}

function Part({ part }: { part: Inline }) {
  const fillIn = useFillIn()
  if (typeof part === 'string') return fillIn(part)
  switch (part.kind) {
    case 'code':
      return <code className={classes.code}>{fillIn(part.text)}</code>
    case 'strong':
      return (
        <strong>
          <InlineText text={part.text} />
        </strong>
      )
    case 'emphasis':
      return (
        <em>
          <InlineText text={part.text} />
        </em>
      )
    case 'link':
      return (
        <a href={fillIn(part.to)} className={classes.link}>
          <InlineText text={part.text} />
        </a>
      )
  }
}
