import { solText } from '@papermoon/amm'
import { type Fair, type FairReplay, REPLAYED_MAX } from '@papermoon/contract/fairs'
import { type FairsDatabase, formatNumeric } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type Kysely, sql } from 'kysely'
import { type JournalReader, journalQueue } from '../../database/journal-queue.ts'
import { getFairsDb, readRanking } from './ranking.ts'
import { type FairSummaries, readSummaries } from './story.ts'

const TOKENS_SHOWN = 6

/**
 * Returns how the best players' scores developed in an ended fair. Throws `FairNotFoundError`, and `FairNotOpenError`
 * before the fair's end.
 */
export async function getReplay({ app, ip }: JournalReader, userId: UserId, fair: Fair): Promise<FairReplay> {
  return await journalQueue(ip, async () => {
    const summaries = await readSummaries(app, fair.id)
    const { entrants } = await readRanking(app, fair)
    const shown = entrants.filter((entrant, index) => index < REPLAYED_MAX || entrant.userId === userId)
    return {
      times: [...summaries.times],
      entrants: shown.map(({ userId: id, username, isBot, isRanked }) => {
        const ranks = summaries.places.get(id) ?? []
        const before = summaries.times.length - ranks.length
        const moments = ranks.map(({ place, score }) => ({ place, score: solText(score) }))
        return { userId: id, username, isBot, isRanked, moments: [...Array(before).fill(null), ...moments] }
      }),
      tokens: await readPrices(getFairsDb(app), fair.id, summaries.seqs),
    }
  })
}

/** Reads the prices of the most traded tokens. The price after a rug pull is 0. */
async function readPrices(
  db: Kysely<FairsDatabase>,
  fairId: number,
  seqs: FairSummaries['seqs'],
): Promise<FairReplay['tokens']> {
  const tokens = await db
    .selectFrom('tokens as t')
    .innerJoin('pools as p', 'p.token_id', 't.id')
    .select(['t.id', 't.symbol', 't.emoji'])
    .where('t.fair_id', '=', fairId)
    .where('t.hidden_at', 'is', null)
    .orderBy('p.seq', 'desc')
    .orderBy('t.id')
    .limit(TOKENS_SHOWN)
    .execute()
  return await Promise.all(
    tokens.map(async ({ id, symbol, emoji }) => {
      const { rows } = await sql<{ price: string | null }>`
        select coalesce(t.spot_price, case when r.seq is not null then 0 end)::text as price
          from unnest(${seqs.map((last) => last.get(id) ?? null)}::int[]) with ordinality as m (seq, moment)
          left join trades t on t.token_id = ${id} and t.seq = m.seq
          left join rugs r on r.token_id = ${id} and r.seq = m.seq
         order by m.moment`.execute(db)
      const prices = rows.map(({ price }) => (price === null ? null : formatNumeric(price)))
      return { id: id as TokenId, symbol, emoji, prices }
    }),
  )
}
