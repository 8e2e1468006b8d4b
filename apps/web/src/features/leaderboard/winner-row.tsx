import type { CSSProperties } from 'react'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Ago } from '../../components/figures/ago.tsx'
import { PlayerAvatar } from '../../components/tokens/player-avatar.tsx'
import { PlayerLink } from '../../components/tokens/player-link.tsx'
import type { Winner } from '../../lib/api/api.ts'
import { counted } from '../../lib/format/counted.ts'
import { formatGain, getSign } from '../../lib/format/format.ts'
import { Medal } from './medal.tsx'
import classes from './winner-row.module.css'

const SOL_SHOWN = 6
/**
 * From this share on, most of the profit came from a single other player; show that instead of the number of traders.
 */
const MOSTLY_PERCENT = 50
const AVATAR_PX = 48
const MEDALS = ['Gold', 'Silver', 'Bronze']

/** One winner: medal, player, and profit. */
export function WinnerRow({ winner, index }: { winner: Winner; index: number }) {
  const {
    rank,
    userId,
    username,
    isBot,
    profilePictureUrl,
    wallet,
    totalPnL,
    tradesCount,
    accountCreatedAt,
    counterparties,
    sourcePercent,
  } = winner
  return (
    <li className={classes.row} data-rank={rank} style={{ '--index': index } as CSSProperties}>
      <span className={classes.stub}>
        <span className="visually-hidden">
          {MEDALS[rank - 1]} medal, rank {rank}:
        </span>
        <Medal rank={rank} />
      </span>
      <span className={classes.body}>
        <span className={classes.player}>
          <PlayerAvatar username={username} pictureUrl={profilePictureUrl} size={AVATAR_PX} />
          <span className={classes.who}>
            <span className={classes.name}>
              <PlayerLink id={userId} username={username} isBot={isBot} />
            </span>
            {isWallet(wallet) && (
              <span className={classes.wallet} title={wallet}>
                <span className="visually-hidden">Wallet </span>
                {wallet}
              </span>
            )}
            <span className={`${classes.beside} ${classes.facts}`}>
              <span className={classes.whole}>
                Joined <Ago time={accountCreatedAt} />
              </span>
              <span className={classes.whole}>{counted(counterparties, 'counterparty', 'counterparties')}</span>
              {sourcePercent !== null && sourcePercent >= MOSTLY_PERCENT && (
                <span className={classes.whole}>{sourcePercent}% paid by one player</span>
              )}
            </span>
          </span>
        </span>
        <span className={classes.won}>
          <span className={classes.pnl} data-loss={getSign(totalPnL) < 0} title={`${totalPnL} SOL`}>
            {formatGain(totalPnL, SOL_SHOWN)} <small>SOL</small>
          </span>
          <span className={classes.beside}>{counted(tradesCount, 'trade')}</span>
        </span>
      </span>
    </li>
  )
}

/** False for deleted players, who have none, and for players who registered with "none". */
function isWallet(wallet: string): boolean {
  return wallet !== '' && wallet.toLowerCase() !== 'none'
}

/** Placeholder for a winner. */
export function WinnerSkeleton({ rank }: { rank: number }) {
  return (
    <li className={`${classes.row} ${classes.blank}`} data-rank={rank}>
      <span className={classes.stub}>
        <Skeleton width="60%" height={64} />
      </span>
      <span className={classes.body}>
        <span className={classes.player}>
          <Skeleton width={AVATAR_PX} height={AVATAR_PX} />
          <span className={classes.who}>
            <Skeleton width="45%" height={24} />
            <Skeleton width="85%" height={15} />
            <Skeleton width="55%" height={15} />
          </span>
        </span>
        <span className={classes.won}>
          <Skeleton width={170} height={28} />
          <Skeleton width={70} height={15} />
        </span>
      </span>
    </li>
  )
}
