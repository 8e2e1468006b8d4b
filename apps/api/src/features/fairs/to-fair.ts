import type { Fair } from '@papermoon/contract/fairs'
import { formatNumeric } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { bellMoment, commitOf } from './bell.ts'
import type { FairRow } from './store.ts'

const MS = 1_000

/** Converts a fair to the form for a caller. Reveals the bell and its secret once the fair has ended. */
export function toFair(row: FairRow, userId: UserId | null): Fair {
  const { kind, state, ends_at: planned, bell_at: bellAt } = row
  if (kind === 'fairground' || planned === null) throw new Error(`fair ${row.id} has no end`)
  const isEndedEarly = bellAt !== null && bellAt < bellMoment(row.secret, planned, row.bell_window_s)
  const endsAt = isEndedEarly ? bellAt : planned
  const isOver = state === 'settled' || state === 'void'
  // A quick arena has no host. The player who began a quick arena plays like the others.
  const hostId = row.is_quick ? null : row.host_id
  const isHost = userId !== null && hostId === userId
  return {
    id: row.id,
    kind,
    name: row.name,
    isQuick: row.is_quick,
    host: hostId === null ? null : { id: hostId as UserId, username: row.host_name ?? '' },
    state,
    stake: formatNumeric(row.stake),
    lobbyAt: row.lobby_at.toISOString(),
    startsAt: row.starts_at.toISOString(),
    endsAt: endsAt.toISOString(),
    bellFrom: new Date(endsAt.getTime() - (isEndedEarly ? 0 : row.bell_window_s * MS)).toISOString(),
    bellAt: isOver ? (bellAt?.toISOString() ?? null) : null,
    commit: commitOf(row.secret),
    secret: isOver ? row.secret.toString('hex') : null,
    launches: row.launches,
    rugs: row.rugs,
    lateEntry: row.late_entry,
    everyoneRanks: row.everyone_ranks,
    depth: row.depth,
    entrants: row.entrants,
    entrantsMax: row.entrants_max,
    bots: row.bots_in,
    note: row.note,
    ...(row.winner !== null && { winner: row.winner }),
    me:
      row.my_balance === null && !isHost
        ? null
        : {
            balance: row.my_balance === null ? null : formatNumeric(row.my_balance),
            hasLeft: row.my_left_at !== null,
            isHost,
            ...(row.my_place !== null && { place: row.my_place }),
          },
  }
}
