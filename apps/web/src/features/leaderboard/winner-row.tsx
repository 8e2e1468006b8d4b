import { formatGain, getSign } from '@papermoon/format'
import type { CSSProperties } from 'react'
import { Ago } from '../../components/figures/moment.tsx'
import stub from '../../components/layout/stub.module.css'
import { PlayerAvatar } from '../../components/tokens/player-avatar.tsx'
import { PlayerLink } from '../../components/tokens/player-link.tsx'
import type { Winner } from '../../lib/api/api.ts'
import { counted } from '../../lib/format/counted.ts'
import classes from './winner-row.module.css'

/**
 * Min share of the profit (in percent) from a single player that the row shows. If the share is lower, the row shows
 * the number of traders instead.
 */
const MOSTLY_PERCENT = 50
const AVATAR_PX = 48
const MEDALS = ['Gold', 'Silver', 'Bronze']

export function WinnerRow({ winner, index }: { winner: Winner; index: number }) {
  const { rank, userId, username, isBot, profilePictureUrl, wallet, totalPnL, sourcePercent } = winner
  return (
    <li
      className={`flex round-m on-surface ${stub.ticket} ${classes.row} coming-in`}
      data-rank={rank}
      style={{ '--index': index } as CSSProperties}
    >
      <span className={`boxed fixed ${stub.stub} ${classes.stub}`}>
        <span className="visually-hidden">
          {MEDALS[rank - 1]} medal, rank {rank}:
        </span>
        <Medal rank={rank} />
      </span>
      <span className={`row gap-wide grow between p-m-l torn-left ${classes.body}`}>
        <span className={`row gap-m grow ${classes.player}`}>
          <PlayerAvatar username={username} pictureUrl={profilePictureUrl} size={AVATAR_PX} />
          <span className="stack gap-xs grow">
            <span className={`row stretch text-xl ${classes.name}`}>
              <PlayerLink id={userId} username={username} isBot={isBot} />
            </span>
            {isWallet(wallet) && (
              <code className="cut small" title={wallet}>
                <span className="visually-hidden">Wallet </span>
                {wallet}
              </code>
            )}
            <span className="small row stretch gap-wide wrap">
              <span className="nowrap">
                Joined <Ago time={winner.accountCreatedAt} />
              </span>
              <span className="nowrap">{counted(winner.counterparties, 'counterparty', 'counterparties')}</span>
              {sourcePercent !== null && sourcePercent >= MOSTLY_PERCENT && (
                <span>{sourcePercent}% of the profit came from one player</span>
              )}
            </span>
          </span>
        </span>
        <span className={`stack far gap-xs fixed bounded ${classes.won}`}>
          <span
            className={`${getSign(totalPnL) < 0 ? 'alarm' : 'accent'} text-xl heavy tight breaks`}
            title={`${totalPnL} SOL`}
          >
            {formatGain(totalPnL)} <small>SOL</small>
          </span>
          <span className="small">{counted(winner.tradesCount, 'trade')}</span>
        </span>
      </span>
    </li>
  )
}

/**
 * Returns whether to show a wallet. A deleted player has no wallet, and some players registered with the text "none" as
 * their wallet.
 */
function isWallet(wallet: string): boolean {
  return wallet !== '' && wallet.toLowerCase() !== 'none'
}

export function Medal({ rank }: { rank: number }) {
  return (
    <svg
      className={`full block ${classes.medal}`}
      data-rank={rank}
      viewBox="0 0 64 84"
      aria-hidden="true"
      focusable="false"
    >
      <path fill="var(--pm-tent-stripe)" d="M14 0h15l9 30H25ZM50 0H35l-9 30h13Z" />
      <path fill="var(--pm-tent)" d="M32 10l6.500 21h-13Z" />
      <path
        fill="var(--metal)"
        d="M32 28l5.400 3.900 6.600-.6 2.700 6.100 6 2.800-.7 6.600 3.900 5.400-3.900 5.400.7 6.600-6 2.800-2.700 6.100-6.600-.7L32 76.200l-5.400-3.800-6.600.7-2.700-6.100-6-2.800.7-6.600-3.900-5.400 3.900-5.400-.7-6.600 6-2.800 2.700-6.100 6.600.6Z"
      />
      <circle
        fill="none"
        stroke="var(--pm-moon-ink)"
        strokeWidth="1.500"
        strokeDasharray="3 3"
        opacity="0.45"
        cx="32"
        cy="52.200"
        r="16"
      />
      <text className="display text-xl" fill="var(--pm-moon-ink)" textAnchor="middle" x="32" y="59.500">
        {rank}
      </text>
    </svg>
  )
}
