import { Link } from '@tanstack/react-router'
import type { TokenId } from '../../../lib/api/api.ts'
import { counted } from '../../../lib/format/counted.ts'
import { formatCount } from '../../../lib/format/format.ts'
import text from '../proof-text.module.css'
import type { ComparedCopy, ComparedHead, HeadStatus } from './compare-copy.ts'
import classes from './compared-table.module.css'
import { hourText } from './hour-text.ts'

const STATUS_LABELS: Record<HeadStatus, string> = {
  same: '✓ still there',
  other: '✗ another hash',
  gone: '✗ not there',
  hidden: 'not shown any more',
}

/** The result of comparing a kept copy, one row per head. */
export function ComparedTable({ copy }: { copy: ComparedCopy }) {
  const { hour, isWhole, isPublished, heads, left } = copy
  const wrong = heads.filter(({ status }) => status === 'other' || status === 'gone').length
  const hidden = heads.filter(({ status }) => status === 'hidden').length
  const isGood = wrong === 0 && isWhole !== false && isPublished
  return (
    <div className={classes.compared}>
      <p className={isGood ? text.good : text.bad}>
        {isGood ? '✓ Nothing of it was rewritten' : '✗ This copy and today’s books do not agree'}
      </p>
      <ul className={classes.findings}>
        <li>
          {counted(heads.length - wrong - hidden, 'head')} of {formatCount(heads.length)} still on today’s chains
          {hidden > 0 && `, ${hidden} of tokens that are not shown any more`}.
        </li>
        <li>{PUBLISHED[isPublished ? 'same' : 'other'](hourText(hour))}</li>
        {isWhole === false && <li>The copy’s own digest is not that of its heads: the copy itself was changed.</li>}
        {isWhole === null && <li>The copy is one page of several, so its own digest was not worked out.</li>}
        {left > 0 && <li>{counted(left, 'head')} more were not looked up; paste fewer at a time for those.</li>}
      </ul>
      {heads.length > 0 && <Heads heads={heads} />}
      <p className={text.small}>
        A hash that is still there says little of the trades before it: verify the token, and its chain has to end up at
        that hash.
      </p>
    </div>
  )
}

const PUBLISHED = {
  same: (hour: string) => `The server names the same digest for ${hour} today.`,
  other: (hour: string) => `The server names another digest for ${hour} today, or none.`,
} as const

function Heads({ heads }: { heads: readonly ComparedHead[] }) {
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-label="Kept heads">
        <thead>
          <tr>
            <th scope="col">Token</th>
            <th scope="col">Entry</th>
            <th scope="col">Its hash today</th>
          </tr>
        </thead>
        <tbody>
          {heads.map(({ tokenId, seq, hash, status }) => (
            <tr key={tokenId}>
              <td>
                <Link to="/proof" search={{ token: tokenId as TokenId }} resetScroll={false} className={text.link}>
                  {tokenId}
                </Link>
              </td>
              <td>{formatCount(seq)}</td>
              <td className={status === 'same' ? '' : text.bad} title={hash}>
                {STATUS_LABELS[status]}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
