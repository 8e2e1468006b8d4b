import assert from 'node:assert/strict'
import { Decimal } from '@papermoon/amm'
import type { DatabaseClient } from '@papermoon/db'
import type { Trade } from '@papermoon/engine'
import { auditMarket } from '../../../src/features/audit/audit-market.ts'
import type { Acknowledged } from './load.ts'

/** A trade with its player and the order's key. */
type KeyedTrade = Omit<Trade, 'username' | 'isBot'> & { readonly key: string }

/**
 * Throws unless the journal contains exactly the acknowledged trades, each once, and an audit finds no difference.
 * Returns the number of trades.
 */
export async function assertExactJournal(
  openDatabase: () => DatabaseClient,
  acknowledged: readonly Acknowledged[],
): Promise<number> {
  const database = openDatabase()
  try {
    assert.deepEqual(await readJournal(database), toKeyedTrades(acknowledged))
    const report = await auditMarket(database.pool)
    assert.deepEqual(report.shown, [], 'the audit found differences')
    return report.trades
  } finally {
    await database.close()
  }
}

/** Returns all trades of the journal, oldest first, in the API's form. */
async function readJournal({ db }: DatabaseClient): Promise<KeyedTrade[]> {
  const rows = await db.selectFrom('trades').selectAll().orderBy('id').execute()
  const figure = (text: string) => new Decimal(text).toFixed()
  return rows.map((row) => ({
    id: row.id,
    tokenId: row.token_id as Trade['tokenId'],
    seq: row.seq,
    side: row.side,
    solAmount: figure(row.sol_amount),
    fee: figure(row.fee),
    tokenAmount: figure(row.token_amount),
    price: figure(row.price),
    spotPrice: figure(row.spot_price),
    createdAt: row.created_at.toISOString(),
    userId: row.user_id as Trade['userId'],
    key: `${row.user_id} ${row.request_key}`,
  }))
}

function toKeyedTrades(acknowledged: readonly Acknowledged[]): KeyedTrade[] {
  return acknowledged
    .map(({ player, key, trade: { username: _, isBot: __, ...trade } }) => ({ ...trade, key: `${player.id} ${key}` }))
    .sort((a, b) => a.id - b.id)
}
