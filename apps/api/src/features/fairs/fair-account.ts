import { FAIR_LAUNCHES_MAX } from '@papermoon/contract/fair-tokens'
import type { Db, FairKind } from '@papermoon/db'
import {
  FairEndedError,
  type LaunchFair,
  type Order,
  type TokenId,
  TokenNotFoundError,
  type UserId,
} from '@papermoon/engine'
import { sql } from 'kysely'
import type { AppPart } from '../../context.ts'
import { joinReads } from '../../lib/join-reads.ts'
import { isPrivate } from './access.ts'
import { FairNotFoundError, FairNotOpenError, FairRuleError, NotInFairError } from './errors.ts'

/** The properties of a fair that affect an order. */
interface OrderTarget {
  readonly id: number
  readonly kind: FairKind
  readonly state: 'lobby' | 'open' | 'settled' | 'void'
  readonly starts_at: Date
  readonly bell_at: Date | null
  readonly ends_at: Date | null
  readonly is_over: boolean
  readonly launches: 'all' | 'host' | 'nobody'
  readonly rugs: boolean
  readonly host_id: number | null
  readonly account_id: number | null
  readonly left_at: Date | null
}

interface OrderOfFair {
  /** The fair in which a launch takes place. All other orders belong to the fair of their token. */
  readonly fairId?: number | undefined
  readonly order: Order
  /** Whether a program places the order: a client with an API key, or a house bot. */
  readonly isProgram: boolean
  /** Whether the fair launches the token, and not a player. Rules for players' launches do not apply in this case. */
  readonly isHouse?: boolean
}

const LAUNCHES_USED = `You have launched ${FAIR_LAUNCHES_MAX} tokens in this fair, which is the maximum.`

/**
 * Adds the account that pays to an order in a fair, and the fair to a launch. Throws `NotInFairError`, and
 * `TokenNotFoundError` or `FairNotFoundError`. If a rule forbids the order, sets its `refusal` instead of throwing, so
 * that a repeated order still gets its first response.
 */
export async function addFairTerms<O extends Order>(
  app: AppPart<'db' | 'memory'>,
  { order, fairId, isProgram, isHouse = false }: OrderOfFair & { readonly order: O },
): Promise<O> {
  const target = await findTarget(app, order, fairId)
  if (target === null) throw order.kind === 'launch' ? new FairNotFoundError() : new TokenNotFoundError()
  if (target.account_id === null || target.left_at !== null) {
    // Hosts can see their room even if they have not joined it.
    throw isPrivate(target.kind) && target.host_id !== order.userId ? new FairNotFoundError() : new NotInFairError()
  }
  const refusal = order.refusal ?? findRefusal(target, order, { isProgram, isHouse })
  const bound = isHouse ? undefined : { max: FAIR_LAUNCHES_MAX, refusal: new FairRuleError(LAUNCHES_USED) }
  const fair: LaunchFair = { id: target.id, closesAtMs: target.bell_at?.getTime() ?? 0, bound }
  return {
    ...order,
    accountId: target.account_id,
    ...(order.kind === 'launch' && { fair }),
    // Pass the secret time of the bell, which is before the planned end.
    ...(order.kind === 'place' && { endsByMs: target.ends_at?.getTime() }),
    ...(target.kind === 'sandbox' && { waitsForOthers: true }),
    ...(refusal !== undefined && { refusal }),
    // The spending limit of an API key applies only to SOL of the fairground. In a fair, the stake limits what the key
    // can spend.
    spendingKeyId: undefined,
  }
}

/** Finds the account with which a player trades a token. Throws `NotInFairError`. */
export async function findAccountId(
  { platform: { db }, market }: AppPart<'db' | 'fairs'>,
  userId: UserId,
  tokenId: TokenId,
): Promise<number> {
  // In the fairground, an account has the id of its player.
  if (market.fairs !== undefined) return userId
  const { rows } = await sql<{ id: number }>`
    select a.account_id as id from tokens t join fairs.accounts a on a.fair_id = t.fair_id and a.user_id = ${userId}
     where t.id = ${tokenId}`.execute(db)
  const [account] = rows
  if (account === undefined) throw new NotInFairError()
  return account.id
}

function findRefusal(
  fair: OrderTarget,
  { kind, userId }: Order,
  { isProgram, isHouse }: Pick<Required<OrderOfFair>, 'isProgram' | 'isHouse'>,
): Order['refusal'] {
  if (fair.is_over || fair.state === 'settled' || fair.state === 'void') return new FairEndedError()
  if (fair.state === 'lobby') return new FairNotOpenError(`This fair opens at ${formatMoment(fair.starts_at)}.`)
  if (fair.kind === 'cup' && !isProgram) return new FairRuleError('Only programs with an API key can trade in a cup.')
  if (kind === 'rug' && !fair.rugs) return new FairRuleError('Rug pulls are off in this fair.')
  if (kind !== 'launch' || isHouse) return undefined
  if (fair.launches === 'nobody') return new FairRuleError('Nobody can launch tokens in this fair now.')
  if (fair.launches === 'host' && fair.host_id !== userId)
    return new FairRuleError('Only the host of this fair can launch tokens.')
  return undefined
}

/** Formats a time for a sentence: `2026-03-01 13:00:00 UTC`. */
export function formatMoment(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

interface Wanted {
  readonly userId: UserId
  /** The token that is traded. Null for a launch. */
  readonly tokenId: TokenId | null
  readonly fairId: number
}

/**
 * Concurrent orders share one read. The result is not cached, because a player who left or was removed must no longer
 * trade on any node.
 */
const joinTargets = ({ db }: { readonly db: Db }) =>
  joinReads(async (wanted: readonly Wanted[]) => {
    const column = (name: keyof Wanted) => wanted.map((one) => one[name])
    const { rows } = await sql<OrderTarget & { readonly n: number }>`
      select k.n::int, f.id, f.kind, f.state, f.starts_at, f.ends_at, f.bell_at, f.launches, f.rugs, f.host_id, a.account_id, a.left_at,
             coalesce(f.bell_at <= clock_timestamp(), false) as is_over
        from unnest(${column('tokenId')}::int[], ${column('fairId')}::int[], ${column('userId')}::int[]) with ordinality
            k (token_id, fair_id, user_id, n)
          join fairs f on f.id = coalesce((select fair_id from tokens where id = k.token_id), k.fair_id) and f.id > 1
          left join fairs.accounts a on a.fair_id = f.id and a.user_id = k.user_id`.execute(db)
    const targets = new Map(rows.map((row) => [row.n, row]))
    return wanted.map((_, index) => targets.get(index + 1) ?? null)
  })

async function findTarget(
  { platform, market: { memory } }: AppPart<'db' | 'memory'>,
  order: Order,
  fairId: number | undefined,
): Promise<OrderTarget | null> {
  const { userId } = order
  const place = order.kind === 'launch' ? { tokenId: null, fairId: fairId ?? 0 } : { tokenId: order.tokenId, fairId: 0 }
  return await memory.state(joinTargets, platform)({ userId, ...place })
}
