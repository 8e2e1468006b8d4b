import { Moment } from '../../../components/figures/moment.tsx'
import { BotMark } from '../../../components/tokens/bot-mark.tsx'
import type { Token } from '../../../lib/api/api.ts'
import { formatCountShort } from '../../../lib/format/format.ts'
import { relativeTime } from '../../../lib/format/relative-time.ts'
import classes from './card-facts.module.css'
import { useCoarseNow } from './use-coarse-now.ts'
import { useFigures } from './use-figures.ts'

/** Age, holders and creator of a token. */
export function CardFacts({ token }: { token: Token }) {
  const figures = useFigures(token.id)
  const now = useCoarseNow()
  const { username, isBot } = token.creator
  return (
    <span className={classes.facts}>
      <Moment time={token.createdAt} event="Launched">
        {toShortAge(relativeTime(token.createdAt, now))}
      </Moment>
      <span className={classes.dot}> · </span>
      <span className={classes.holders}>{figures === undefined ? '' : toHoldersText(figures)}</span>
      <span className={classes.dot}> · </span>
      <span className={classes.creator} title={`Created by ${username}`}>
        <span className="visually-hidden">by </span>
        {username}
      </span>
      {isBot && (
        <>
          {' '}
          <BotMark />
        </>
      )}
    </span>
  )
}

function toHoldersText({ holders, areHoldersExact }: { holders: number; areHoldersExact: boolean }): string {
  return `${areHoldersExact ? '' : '~'}${formatCountShort(holders)} ${holders === 1 ? 'holder' : 'holders'}`
}

/** `12 minutes ago` as `12 min`; cards are narrow. */
function toShortAge(text: string): string {
  return text
    .replace(/ ago$/, '')
    .replace(/ seconds?$/, ' s')
    .replace(/ minutes?$/, ' min')
    .replace(/ hours?$/, ' h')
}
