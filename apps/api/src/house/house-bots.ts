import type { AccountStatus, Db } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { recordOperatorEvent } from '../features/account/records/account-events.ts'

/** A house bot and its money. */
export interface HouseBot {
  readonly id: UserId
  readonly username: string
  readonly emoji: string | null
  readonly about: string | null
  /** The account's status. If the bot has retired, its account is frozen. */
  readonly status: AccountStatus
  /** The bot's balance in SOL. */
  readonly balance: string
  /** SOL that the house has granted to the bot so far. */
  readonly granted: string
  readonly keys: number
}

/** Finds all house bots, including retired ones, in the order of their accounts. */
export async function findHouseBots(db: Db): Promise<HouseBot[]> {
  const { rows } = await sql<HouseBot>`
    select u.id, u.username, u.emoji, u.about, u.standing as status, a.sol_balance as balance,
           (select coalesce(sum(amount), 0) from grants where user_id = u.id and kind = 'house') as granted,
           (select count(*)::int from api_keys where user_id = u.id) as keys
      from users u join accounts a on a.user_id = u.id
     where u.kind = 'house' order by u.id`.execute(db)
  return rows
}

/**
 * Retires house bots: ends their API keys, and freezes their accounts with all their SOL and tokens. Returns how many
 * of the bots were not retired before. Running servers close the bots' connections within seconds.
 */
export async function retireHouseBots(db: Db, userIds: readonly UserId[]): Promise<number> {
  if (userIds.length === 0) return 0
  return await db.transaction().execute(async (tx) => {
    const retired = await tx
      .updateTable('users')
      .set({ standing: 'frozen', standing_reason: 'It has retired.' })
      .where('id', 'in', [...userIds])
      .where('kind', '=', 'house')
      .where('standing', '<>', 'frozen')
      .returning('id')
      .execute()
    for (const { id } of retired) {
      await tx.deleteFrom('api_keys').where('user_id', '=', id).execute()
      await recordOperatorEvent(tx, { userId: id as UserId, kind: 'suspended', detail: { frozen: true } })
    }
    return retired.length
  })
}
