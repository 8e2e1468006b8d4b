import type { TimeRange } from '@papermoon/contract/times'
import type { Db } from '@papermoon/db'
import { type TokenId, TokenNotFoundError } from '@papermoon/engine'
import { visibleTokens } from '../../../database/visible-tokens.ts'
import { findSeqAt } from '../past/store.ts'

/** A token's events with a number above `after` and at most `last`. */
export interface SeqRange {
  readonly after: number
  readonly last: number
}

/** Finds the numbers of a token's events in a time range. Throws `TokenNotFoundError`. */
export async function findSeqRange(db: Db, id: TokenId, { from, to }: TimeRange): Promise<SeqRange> {
  const pool = await db
    .selectFrom('pools as p')
    .innerJoin(visibleTokens.as('k'), 'k.id', 'p.token_id')
    .select('p.seq')
    .where('p.token_id', '=', id)
    .executeTakeFirst()
  if (pool === undefined) throw new TokenNotFoundError()
  const findLastBefore = async (time: Date) =>
    (await findSeqAt(db, id, pool.seq, new Date(time.getTime() - 1)))?.seq ?? 0
  return {
    after: from === undefined ? 0 : await findLastBefore(from),
    last: to === undefined ? pool.seq : await findLastBefore(to),
  }
}
